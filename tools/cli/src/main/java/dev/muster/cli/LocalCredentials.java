package dev.muster.cli;

import dev.muster.cli.command.CommandFailure;
import dev.muster.pki.Identity;
import dev.muster.pki.KubeconfigFile;
import dev.muster.pki.Pem;
import dev.muster.pki.PkiFolder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Base64;
import java.util.List;
import java.util.Map;

/**
 * The keys, certificates and kubeconfig files of a local control plane, in its data folder. The
 * caller holds the folder's lock. Every method replaces certificates that are near their end, so
 * periodic calls keep all of them valid. Not thread-safe.
 */
final class LocalCredentials {
  private final Path folder;
  private final InstantSource clock;

  private LocalCredentials(Path folder, InstantSource clock) {
    this.folder = folder;
    this.clock = clock;
  }

  /**
   * @throws CommandFailure when an existing file cannot be used
   */
  static LocalCredentials open(Path folder, InstantSource clock) {
    var credentials = new LocalCredentials(folder, clock);
    try {
      credentials.pki().tokenKey();
      return credentials;
    } catch (IllegalArgumentException e) {
      throw new CommandFailure(
          e.getMessage()
              + "; restore it, or remove "
              + credentials.pkiFolder()
              + " to have new keys and certificates made, which clients have to be given anew",
          e);
    }
  }

  private PkiFolder pki() {
    return PkiFolder.open(pkiFolder(), clock);
  }

  Path pkiFolder() {
    return folder.resolve("pki");
  }

  Path authority() {
    return pkiFolder().resolve("ca.crt");
  }

  Path authorityKey() {
    return pkiFolder().resolve("ca.key");
  }

  Path tokenKey() {
    return pkiFolder().resolve("sa.key");
  }

  Path tokenPublicKey() {
    return pkiFolder().resolve("sa.pub");
  }

  /**
   * The flags for the front proxy certificate by which aggregated servers recognize these API
   * servers. It has its own authority, so that no other certificate can replace it. Creates both if
   * they are missing.
   */
  Map<String, List<String>> frontProxyFlags() {
    var front = pkiFolder().resolve("front-proxy");
    var name = "front-proxy-client";
    PkiFolder.open(front, clock).component(name, name, List.of());
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
   * Writes the administrator's kubeconfig, with a context for each server: {@code muster} for the
   * first, {@code muster-2} and so on for the others.
   */
  Path writeAdminKubeconfig(List<String> urls) {
    var pki = pki();
    var admin = pki.client("admin", "kubernetes-admin", List.of("system:masters"));
    var file = folder.resolve("admin.kubeconfig");
    write(file, kubeconfig(urls, pki, admin));
    return file;
  }

  /** Leaves a file with the same content unchanged, because clients reload changed files. */
  private static void write(Path file, String text) {
    if (!Files.exists(file) || !Pem.read(file).equals(text)) {
      Pem.write(file, text);
    }
  }

  /** Writes the kubeconfig of the local controller manager. */
  Path writeControllerKubeconfig(String url) {
    var pki = pki();
    var identity =
        pki.component(
            "controller-manager", "system:muster-controller-manager", List.of("system:masters"));
    var file = folder.resolve("controller-manager.kubeconfig");
    write(
        file,
        KubeconfigFile.of(
            "muster", url, List.of(pki.authority().certificate()), "controller-manager", identity));
    return file;
  }

  private static String kubeconfig(List<String> urls, PkiFolder pki, Identity admin) {
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
