package dev.muster.cli;

import dev.muster.pki.Identity;
import dev.muster.pki.KubeconfigFile;
import dev.muster.pki.Pem;
import dev.muster.pki.PkiFolder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Base64;
import java.util.List;
import java.util.Map;

/**
 * The keys, certificates and kubeconfig files of a local control plane, kept in its data folder.
 * The caller holds the folder's lock.
 */
final class LocalCredentials {
  private final Path folder;
  private final PkiFolder pki;

  private LocalCredentials(Path folder, PkiFolder pki) {
    this.folder = folder;
    this.pki = pki;
  }

  static LocalCredentials open(Path folder) {
    var pki = PkiFolder.open(folder.resolve("pki"), InstantSource.system());
    pki.tokenKey();
    return new LocalCredentials(folder, pki);
  }

  Path pkiFolder() {
    return folder.resolve("pki");
  }

  Path authority() {
    return pki.authorityFile();
  }

  Path authorityKey() {
    return pki.authorityKeyFile();
  }

  Path tokenKey() {
    return pkiFolder().resolve("sa.key");
  }

  Path tokenPublicKey() {
    return pkiFolder().resolve("sa.pub");
  }

  /**
   * How API servers behind these know them: by a certificate of an authority that signs nothing
   * else, so that nobody can make another one. It is made here if there is none.
   */
  Map<String, List<String>> frontProxyFlags() {
    var front = pkiFolder().resolve("front-proxy");
    var name = "front-proxy-client";
    PkiFolder.open(front, InstantSource.system()).component(name, name, List.of());
    return Map.of(
        "requestheader-client-ca-file", List.of(front.resolve("ca.crt").toString()),
        "requestheader-allowed-names", List.of(name),
        "requestheader-username-headers", List.of("X-Remote-User"),
        "requestheader-uid-headers", List.of("X-Remote-Uid"),
        "requestheader-group-headers", List.of("X-Remote-Group"),
        "requestheader-extra-headers-prefix", List.of("X-Remote-Extra-"),
        "proxy-client-cert-file", List.of(front.resolve(name + ".crt").toString()),
        "proxy-client-key-file", List.of(front.resolve(name + ".key").toString()));
  }

  /**
   * Writes the file for the person who runs the control plane: a context for each server, {@code
   * muster} for the first and {@code muster-2} and so on for the others.
   */
  Path writeAdminKubeconfig(List<String> urls) {
    var admin = pki.client("admin", "kubernetes-admin", List.of("system:masters"));
    var file = folder.resolve("admin.kubeconfig");
    Pem.write(file, kubeconfig(urls, admin));
    return file;
  }

  /** Writes the file for the controller manager of the control plane itself. */
  Path writeControllerKubeconfig(String url) {
    var identity =
        pki.component(
            "controller-manager", "system:muster-controller-manager", List.of("system:masters"));
    var file = folder.resolve("controller-manager.kubeconfig");
    Pem.write(
        file,
        KubeconfigFile.of(
            "muster", url, List.of(pki.authority().certificate()), "controller-manager", identity));
    return file;
  }

  private String kubeconfig(List<String> urls, Identity admin) {
    var clusters = new StringBuilder();
    var contexts = new StringBuilder();
    for (int i = 0; i < urls.size(); i++) {
      var name = i == 0 ? "muster" : "muster-" + (i + 1);
      clusters.append(
          """
          - name: %s
            cluster:
              server: %s
              certificate-authority-data: %s
          """
              .formatted(name, urls.get(i), base64(Pem.of(pki.authority().certificate()))));
      contexts.append(
          """
          - name: %1$s
            context:
              cluster: %1$s
              user: admin
              namespace: default
          """
              .formatted(name));
    }
    return """
    apiVersion: v1
    kind: Config
    clusters:
    %susers:
    - name: admin
      user:
        client-certificate-data: %s
        client-key-data: %s
    contexts:
    %scurrent-context: muster
    """
        .formatted(clusters, base64(Pem.of(admin.chain())), base64(Pem.of(admin.key())), contexts);
  }

  private static String base64(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.US_ASCII));
  }
}
