package dev.muster.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.store.etcd.EtcdOptions;
import dev.muster.store.etcd.EtcdStore;
import dev.muster.testing.NeedsProgram;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Real servers, and what their stores hold of a secret. */
@Tag("slow")
@Timeout(300)
class EncryptionAtRestTest {
  private static final String SECRET = "correct-horse-battery-staple";
  private static final String ENCODED =
      Base64.getEncoder().encodeToString(SECRET.getBytes(StandardCharsets.UTF_8));

  @TempDir private Path folder;

  private static byte[] key(String name) {
    return Arrays.copyOf(name.getBytes(StandardCharsets.UTF_8), 32);
  }

  private Path configuration(String... keys) throws IOException {
    var text = new StringBuilder();
    for (var name : keys) {
      text.append("      - name: ").append(name).append("\n        secret: ");
      text.append(Base64.getEncoder().encodeToString(key(name))).append('\n');
    }
    return Files.writeString(
        folder.resolve("encryption.yaml"),
        "kind: EncryptionConfiguration\napiVersion: apiserver.config.k8s.io/v1\nresources:\n"
            + "- resources: [secrets]\n  providers:\n  - aesgcm:\n      keys:\n"
            + text
            + "  - identity: {}\n");
  }

  /** The files below a folder that hold a text, by name. */
  private static List<String> holding(Path root, String text) throws IOException {
    var wanted = text.getBytes(StandardCharsets.US_ASCII);
    var found = new ArrayList<String>();
    try (var files = Files.walk(root)) {
      for (var file : files.filter(Files::isRegularFile).toList()) {
        if (indexOf(Files.readAllBytes(file), wanted) >= 0) {
          found.add(root.relativize(file).toString());
        }
      }
    }
    return found;
  }

  private static int indexOf(byte[] bytes, byte[] wanted) {
    for (int i = 0; i <= bytes.length - wanted.length; i++) {
      if (Arrays.equals(bytes, i, i + wanted.length, wanted, 0, wanted.length)) {
        return i;
      }
    }
    return -1;
  }

  @Test
  @NeedsProgram("kubectl")
  void noFileOfTheEmbeddedStoreHoldsASecretInTheClear() throws Exception {
    var data = folder.resolve("data");
    var flag = "--encryption-provider-config=" + configuration("one");
    try (var muster = Processes.up(data, "--", flag)) {
      Processes.awaitUp(muster);
      var kubectl = Kubectl.of(data.resolve("admin.kubeconfig"));
      kubectl.succeedWithInput(secrets(50), "create", "-f", "-");
      kubectl.succeed("create", "configmap", "open", "--from-literal=words=" + SECRET + "-open");
      assertThat(holding(data.resolve("store"), SECRET + "-open")).isNotEmpty();
      assertThat(holding(data, ENCODED)).isEmpty();
      muster.terminate();
      assertThat(muster.waitFor()).isZero();
      assertThat(String.join("\n", muster.output())).doesNotContain(ENCODED);
    }
    assertThat(holding(data, ENCODED)).isEmpty();
    configuration("two", "one");
    try (var muster = Processes.up(data, "--", flag)) {
      Processes.awaitUp(muster);
      var kubeconfig = data.resolve("admin.kubeconfig");
      assertThat(Kubectl.of(kubeconfig).succeed("get", "secret", "s-7", "-o", "json"))
          .contains(ENCODED);
      assertThat(reencrypt(kubeconfig, "--chunk-size=20", "secrets"))
          .contains("secrets: 20 of 5")
          .containsPattern("secrets: \\d+ objects, 5\\d written again, 0 failed");
      assertThat(reencrypt(kubeconfig)).contains(" 0 written again, 0 failed");
      muster.terminate();
      assertThat(muster.waitFor()).isZero();
    }
    assertThat(holding(data, ENCODED)).isEmpty();
    configuration("two");
    try (var muster = Processes.up(data, "--", flag)) {
      Processes.awaitUp(muster);
      assertThat(
              Kubectl.of(data.resolve("admin.kubeconfig"))
                  .succeed("get", "secret", "s-7", "-o", "json"))
          .contains(ENCODED);
    }
  }

  /** That many Secrets, s-0, s-1, … */
  private static String secrets(int count) {
    var text = new StringBuilder();
    for (int i = 0; i < count; i++) {
      text.append(
          """
          ---
          apiVersion: v1
          kind: Secret
          metadata: {name: s-%d}
          data: {password: %s}
          """
              .formatted(i, ENCODED));
    }
    return text.toString();
  }

  private static String reencrypt(Path kubeconfig, String... arguments) throws Exception {
    var command = new ArrayList<>(List.of("reencrypt", "--kubeconfig=" + kubeconfig));
    command.addAll(List.of(arguments));
    try (var process = Processes.muster(command.toArray(String[]::new))) {
      int code = process.waitFor();
      var text = new StringBuilder();
      for (var line = process.nextLine(); line != null; line = process.nextLine()) {
        text.append(line).append('\n');
      }
      assertThat(code).as(text.toString()).isZero();
      return text.toString();
    }
  }

  @Test
  @NeedsProgram("etcd")
  void etcdHoldsWhatAnybodyWithTheKeyCanDecryptAtItsPlace() throws Exception {
    var flag = "--encryption-provider-config=" + configuration("one");
    try (var fleet = EtcdFleet.start(folder, 1, 1, flag);
        var api = new HttpApi(fleet.url(0), fleet.authority())) {
      var secret = "{\"metadata\":{\"name\":\"s\"},\"data\":{\"password\":\"" + ENCODED + "\"}}";
      assertThat(api.send("POST", "/api/v1/namespaces/default/secrets", secret).code())
          .isEqualTo(201);
      try (var etcd = EtcdStore.open(EtcdOptions.at(fleet.etcd().endpoints()));
          var image = etcd.image()) {
        byte[] value = {};
        for (var entry : image) {
          value = entry.key().equals("/secrets/default/s") ? entry.value() : value;
        }
        var prefix = "k8s:enc:aesgcm:v1:one:";
        assertThat(new String(value, StandardCharsets.ISO_8859_1)).startsWith(prefix);
        var cipher = Cipher.getInstance("AES/GCM/NoPadding");
        cipher.init(
            Cipher.DECRYPT_MODE,
            new SecretKeySpec(key("one"), "AES"),
            new GCMParameterSpec(128, value, prefix.length(), 12));
        cipher.updateAAD("/registry/secrets/default/s".getBytes(StandardCharsets.UTF_8));
        int start = prefix.length() + 12;
        var plain = cipher.doFinal(value, start, value.length - start);
        assertThat(new String(plain, StandardCharsets.UTF_8)).contains(ENCODED);
      }
    }
    assertThat(holding(folder.resolve("etcd"), ENCODED)).isEmpty();
  }
}
