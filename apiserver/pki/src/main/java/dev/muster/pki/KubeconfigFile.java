package dev.muster.pki;

import java.nio.charset.StandardCharsets;
import java.security.cert.X509Certificate;
import java.util.Base64;
import java.util.List;

/**
 * A kubeconfig with one cluster, one user and one context, everything embedded. It names the
 * namespace, because Java clients take none for granted.
 */
public final class KubeconfigFile {
  private KubeconfigFile() {}

  /**
   * @param server such as {@code https://127.0.0.1:6443}
   */
  public static String of(
      String cluster,
      String server,
      List<X509Certificate> authorities,
      String user,
      Identity identity) {
    return text(
        cluster,
        server,
        authorities,
        user,
        "    client-certificate-data: %s\n    client-key-data: %s\n"
            .formatted(base64(Pem.of(identity.chain())), base64(Pem.of(identity.key()))));
  }

  public static String of(
      String cluster, String server, List<X509Certificate> authorities, String user, String token) {
    return text(cluster, server, authorities, user, "    token: %s\n".formatted(token));
  }

  private static String text(
      String cluster,
      String server,
      List<X509Certificate> authorities,
      String user,
      String credentials) {
    return """
    apiVersion: v1
    kind: Config
    clusters:
    - name: %1$s
      cluster:
        server: %2$s
        certificate-authority-data: %3$s
    users:
    - name: %4$s
      user:
    %5$scontexts:
    - name: %1$s
      context:
        cluster: %1$s
        user: %4$s
        namespace: default
    current-context: %1$s
    preferences: {}
    """
        .formatted(cluster, server, base64(Pem.of(authorities)), user, credentials);
  }

  private static String base64(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.US_ASCII));
  }
}
