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
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A kubelet that joins what {@code muster up} runs. */
@Tag("slow")
class KubeletOfUpTest {
  @TempDir private Path folder;

  @Test
  @NeedsProgram("kubectl")
  @NeedsProgram("openssl")
  void itGetsACertificateAndTheRightsOfItsNodeOnly() throws Exception {
    var data = folder.resolve("data");
    try (var muster =
        Processes.muster("up", "--port=0", "--store=memory", "--data", data.toString())) {
      Processes.awaitUp(muster);
      var admin = Kubectl.of(data.resolve("admin.kubeconfig"));
      var object = folder.resolve("object.yaml");
      Files.writeString(object, certificateRequest());
      succeeds(admin.run("create", "-f", object.toString()));
      succeeds(admin.run("certificate", "approve", "one"));
      var path = "jsonpath={.status.certificate}";
      await().until(() -> !admin.run("get", "csr", "one", "-o", path).out().isBlank());
      var kubelet = kubelet(data, admin.run("get", "csr", "one", "-o", path).out().strip());

      assertThat(kubelet.run("get", "secrets", "--all-namespaces").err()).contains("Forbidden");
      Files.writeString(object, "apiVersion: v1\nkind: Node\nmetadata: {name: two}\n");
      assertThat(kubelet.run("create", "-f", object.toString()).err())
          .contains("node \"one\" is not allowed to modify node \"two\"");
      Files.writeString(object, "apiVersion: v1\nkind: Node\nmetadata: {name: one}\n");
      succeeds(kubelet.run("create", "-f", object.toString()));
    }
  }

  private static void succeeds(Kubectl.Output output) {
    assertThat(output.code()).as(output.err()).isZero();
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
  private Kubectl kubelet(Path data, String certificate) throws Exception {
    var text =
        Files.readString(data.resolve("admin.kubeconfig"))
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
