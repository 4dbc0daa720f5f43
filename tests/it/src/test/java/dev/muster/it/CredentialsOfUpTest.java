package dev.muster.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.muster.testing.ChildProcess;
import dev.muster.testing.NeedsProgram;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;

/** What the controllers of {@code muster up} give to those who need credentials. */
@Tag("slow")
@NeedsProgram("kubectl")
@TestInstance(Lifecycle.PER_CLASS)
class CredentialsOfUpTest {
  @TempDir private static Path folder;
  private ChildProcess muster;
  private Kubectl admin;

  @BeforeAll
  void start() throws InterruptedException {
    muster = Processes.up(folder.resolve("data"), "--store=memory");
    Processes.awaitUp(muster);
    admin = Kubectl.of(folder.resolve("data/admin.kubeconfig"));
  }

  @AfterAll
  void stop() {
    muster.close();
  }

  @Test
  void secretsForTokensAreFilledAndGoWithTheirServiceAccount() throws Exception {
    succeeds(admin.run("create", "serviceaccount", "robot"));
    succeeds(admin.run("create", "-f", secret("token", "robot").toString()));
    var path = "jsonpath={.data.token}";
    await().until(() -> !admin.run("get", "secret", "token", "-o", path).out().isBlank());
    var robot = robot(admin.run("get", "secret", "token", "-o", path).out().strip());
    assertThat(robot.run("get", "secrets").err())
        .contains("User \"system:serviceaccount:default:robot\" cannot list resource");
    assertThat(admin.run("get", "secret", "token", "-o", "jsonpath={.data}").out())
        .contains("ca.crt", "\"namespace\":\"ZGVmYXVsdA==\"");

    succeeds(admin.run("create", "-f", secret("nobody", "missing").toString()));
    await().until(() -> admin.run("get", "secret", "nobody").err().contains("NotFound"));
    succeeds(admin.run("delete", "serviceaccount", "robot"));
    await().until(() -> admin.run("get", "secret", "token").err().contains("NotFound"));
  }

  @Test
  @NeedsProgram("openssl")
  void aKubeletGetsACertificateAndTheRightsOfItsNodeOnly() throws Exception {
    var object = folder.resolve("object.yaml");
    Files.writeString(object, certificateRequest());
    succeeds(admin.run("create", "-f", object.toString()));
    succeeds(admin.run("certificate", "approve", "one"));
    var path = "jsonpath={.status.certificate}";
    await().until(() -> !admin.run("get", "csr", "one", "-o", path).out().isBlank());
    var kubelet = kubelet(admin.run("get", "csr", "one", "-o", path).out().strip());

    assertThat(kubelet.run("get", "secrets", "--all-namespaces").err()).contains("Forbidden");
    Files.writeString(object, "apiVersion: v1\nkind: Node\nmetadata: {name: two}\n");
    assertThat(kubelet.run("create", "-f", object.toString()).err())
        .contains("node \"one\" is not allowed to modify node \"two\"");
    Files.writeString(object, "apiVersion: v1\nkind: Node\nmetadata: {name: one}\n");
    succeeds(kubelet.run("create", "-f", object.toString()));
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
  private Kubectl robot(String encoded) throws Exception {
    var token = new String(Base64.getDecoder().decode(encoded), StandardCharsets.US_ASCII);
    var text =
        Files.readString(folder.resolve("data/admin.kubeconfig"))
            .replaceAll("client-certificate-data: .*", "token: " + token)
            .replaceAll("    client-key-data: .*\n", "");
    return Kubectl.of(Files.writeString(folder.resolve("robot.kubeconfig"), text));
  }

  private String certificateRequest() throws Exception {
    var request = folder.resolve("node.csr");
    var openssl =
        List.of(
            "openssl",
            "req",
            "-new",
            "-newkey",
            "ec",
            "-pkeyopt",
            "ec_paramgen_curve:prime256v1",
            "-nodes",
            "-keyout",
            folder.resolve("node.key").toString(),
            "-out",
            request.toString(),
            "-subj",
            "/O=system:nodes/CN=system:node:one");
    try (var making = ChildProcess.start(openssl)) {
      assertThat(making.waitFor()).as(() -> making.output().toString()).isZero();
    }
    return """
    apiVersion: certificates.k8s.io/v1
    kind: CertificateSigningRequest
    metadata: {name: one}
    spec:
      request: %s
      signerName: kubernetes.io/kube-apiserver-client-kubelet
      usages: [client auth, digital signature]
    """
        .formatted(base64(Files.readString(request)));
  }

  /** The administrator's file with the kubelet's certificate and key. */
  private Kubectl kubelet(String certificate) throws Exception {
    var text =
        Files.readString(folder.resolve("data/admin.kubeconfig"))
            .replaceAll("client-certificate-data: .*", "client-certificate-data: " + certificate)
            .replaceAll(
                "client-key-data: .*",
                "client-key-data: " + base64(Files.readString(folder.resolve("node.key"))));
    return Kubectl.of(Files.writeString(folder.resolve("kubelet.kubeconfig"), text));
  }

  private static String base64(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.US_ASCII));
  }
}
