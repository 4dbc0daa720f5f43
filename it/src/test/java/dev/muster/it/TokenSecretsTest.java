package dev.muster.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.muster.testing.NeedsProgram;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Secrets that people make for the token of a service account. */
@Tag("slow")
class TokenSecretsTest {
  @TempDir private Path folder;

  @Test
  @NeedsProgram("kubectl")
  void areFilledAndGoWithTheirServiceAccount() throws Exception {
    var data = folder.resolve("data");
    try (var muster =
        Processes.muster(
            "up", "--port=0", "--servers=1", "--store=memory", "--data", data.toString())) {
      Processes.awaitUp(muster);
      var admin = Kubectl.of(data.resolve("admin.kubeconfig"));
      succeeds(admin.run("create", "serviceaccount", "robot"));
      succeeds(admin.run("create", "-f", secret("token", "robot").toString()));
      var path = "jsonpath={.data.token}";
      await().until(() -> !admin.run("get", "secret", "token", "-o", path).out().isBlank());
      var robot = robot(data, admin.run("get", "secret", "token", "-o", path).out().strip());
      assertThat(robot.run("get", "secrets").err())
          .contains("User \"system:serviceaccount:default:robot\" cannot list resource");
      assertThat(admin.run("get", "secret", "token", "-o", "jsonpath={.data}").out())
          .contains("ca.crt", "\"namespace\":\"ZGVmYXVsdA==\"");

      succeeds(admin.run("create", "-f", secret("nobody", "missing").toString()));
      await().until(() -> admin.run("get", "secret", "nobody").err().contains("NotFound"));
      succeeds(admin.run("delete", "serviceaccount", "robot"));
      await().until(() -> admin.run("get", "secret", "token").err().contains("NotFound"));
    }
  }

  private static void succeeds(Kubectl.Output output) {
    assertThat(output.code()).as(output.err()).isZero();
  }

  private Path secret(String name, String account) throws Exception {
    return Files.writeString(
        folder.resolve(name + ".yaml"),
        """
        apiVersion: v1
        kind: Secret
        type: kubernetes.io/service-account-token
        metadata:
          name: %s
          annotations: {kubernetes.io/service-account.name: %s}
        """
            .formatted(name, account));
  }

  /** The administrator's file with that token in place of the certificate. */
  private Kubectl robot(Path data, String encoded) throws Exception {
    var token = new String(Base64.getDecoder().decode(encoded), StandardCharsets.US_ASCII);
    var text =
        Files.readString(data.resolve("admin.kubeconfig"))
            .replaceAll("client-certificate-data: .*", "token: " + token)
            .replaceAll("    client-key-data: .*\n", "");
    return Kubectl.of(Files.writeString(folder.resolve("robot.kubeconfig"), text));
  }
}
