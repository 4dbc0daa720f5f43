package dev.muster.admission;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.admission.config.AdmissionConfiguration;
import dev.muster.authentication.webhook.WebhookUsers;
import dev.muster.pki.Authority;
import dev.muster.pki.Pem;
import dev.muster.registry.webhook.WebhookAddress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code --admission-control-config-file} says about webhooks. */
class WebhookAdmissionConfigurationTest {
  @TempDir private Path folder;
  private Instant now = Instant.EPOCH;

  private AdmissionConfiguration read(String configuration) throws IOException {
    return AdmissionConfiguration.read(
        Files.writeString(
            folder.resolve("admission.yaml"),
            """
            apiVersion: apiserver.config.k8s.io/v1
            kind: AdmissionConfiguration
            plugins:
            - name: ValidatingAdmissionWebhook
              configuration: {apiVersion: apiserver.config.k8s.io/v1, %s}
            """
                .formatted(configuration)));
  }

  @Test
  void usersOfTheKubeconfigAreShownToTheWebhooksOfTheirNames() throws Exception {
    Files.writeString(folder.resolve("token"), "of-a-file");
    Files.writeString(
        folder.resolve("users.yaml"),
        """
        apiVersion: v1
        kind: Config
        users:
        - {name: 'hook.ns.svc', user: {token: of-the-hook}}
        - {name: '*.example.com', user: {username: u, password: p}}
        - {name: '*', user: {tokenFile: token}}
        """);
    var users =
        read("kind: WebhookAdmissionConfiguration, kubeConfigFile: users.yaml")
            .webhookUsers("ValidatingAdmissionWebhook", () -> now)
            .get();
    assertThat(users.of(new WebhookAddress.Service("ns", "hook", 443, "/")).authorization())
        .isEqualTo("Bearer of-the-hook");
    assertThat(users.of(WebhookAddress.url("https://a.b.example.com/x")).authorization())
        .isEqualTo("Basic dTpw");
    assertThat(users.of(WebhookAddress.url("https://other/x")).authorization())
        .isEqualTo("Bearer of-a-file");
    assertThat(
            read("kind: WebhookAdmissionConfiguration")
                .webhookUsers("MutatingAdmissionWebhook", () -> now)
                .get())
        .isEqualTo(WebhookUsers.NONE);
  }

  /** Its kind had another name in v1alpha1. */
  @Test
  void theKindOfAnotherVersionIsRefused() throws Exception {
    var other = read("kind: WebhookAdmission");
    assertThatThrownBy(() -> other.webhookUsers("ValidatingAdmissionWebhook", () -> now))
        .hasMessageContaining("is no WebhookAdmissionConfiguration");
    assertThatThrownBy(() -> read("kind: A, kind: B")).hasMessageContaining("already set in map");
  }

  @Test
  void certificatesOfTheUsersAreReadAgain() throws Exception {
    var authority = Authority.create("ca", Instant.now(), Duration.ofDays(1));
    var first = authority.client("first", List.of(), Instant.now(), Duration.ofDays(1));
    var second = authority.client("second", List.of(), Instant.now(), Duration.ofDays(1));
    var certificate = Files.writeString(folder.resolve("us.crt"), Pem.of(first.chain()));
    var key = Files.writeString(folder.resolve("us.key"), Pem.of(first.key()));
    Files.writeString(
        folder.resolve("users.yaml"),
        "users: [{name: '*', user: {client-certificate: us.crt, client-key: us.key}}]");
    var users =
        read("kind: WebhookAdmissionConfiguration, kubeConfigFile: users.yaml")
            .webhookUsers("ValidatingAdmissionWebhook", () -> now);
    var address = WebhookAddress.url("https://hook/x");
    assertThat(users.get().of(address).certificate()).isEqualTo(Pem.of(first.chain()));
    Files.writeString(certificate, Pem.of(second.chain()));
    Files.writeString(key, Pem.of(second.key()));
    now = now.plusSeconds(60);
    assertThat(users.get().of(address).certificate()).isEqualTo(Pem.of(second.chain()));
    assertThat(users.get().of(address).key()).isEqualTo(Pem.of(second.key()));
  }

  @Test
  void whatCannotBeUsedIsRefused() throws Exception {
    assertRefused("kind: Other", "no WebhookAdmissionConfiguration");
    assertRefused("kind: WebhookAdmissionConfiguration, x: y", "unknown field \"x\"");
    assertRefused(
        "kind: WebhookAdmissionConfiguration, kubeConfigFile: none.yaml", "unable to read");
    Files.writeString(
        folder.resolve("exec.yaml"), "users: [{name: '*', user: {exec: {command: x}}}]");
    assertRefused(
        "kind: WebhookAdmissionConfiguration, kubeConfigFile: exec.yaml", "exec is not supported");
  }

  @Test
  void aFolderOfManifestsHasToBeThereAndAllowed() throws Exception {
    var relative = read("kind: WebhookAdmissionConfiguration, staticManifestsDir: here");
    assertThatThrownBy(() -> relative.manifestFolders(false))
        .hasMessage(
            "--admission-control-config-file: ValidatingAdmissionWebhook: staticManifestsDir:"
                + " Forbidden: staticManifestsDir requires the ManifestBasedAdmissionControlConfig"
                + " feature gate to be enabled");
    assertThatThrownBy(() -> relative.manifestFolders(true))
        .hasMessageEndingWith("Invalid value: \"here\": must be an absolute file path");
    var absent = read("kind: WebhookAdmissionConfiguration, staticManifestsDir: /not/there");
    assertThatThrownBy(() -> absent.manifestFolders(true))
        .hasMessageEndingWith("unable to read: stat /not/there: no such file or directory");
    var file =
        read(
            "kind: WebhookAdmissionConfiguration, staticManifestsDir: "
                + folder.resolve("admission.yaml"));
    assertThatThrownBy(() -> file.manifestFolders(true))
        .hasMessageEndingWith("must be a directory");
    assertThat(
            read("kind: WebhookAdmissionConfiguration, staticManifestsDir: " + folder)
                .manifestFolders(true))
        .hasSize(1);
  }

  private void assertRefused(String configuration, String message) {
    assertThatThrownBy(
            () -> read(configuration).webhookUsers("ValidatingAdmissionWebhook", () -> now))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("--admission-control-config-file: ")
        .hasMessageContaining(message);
  }
}
