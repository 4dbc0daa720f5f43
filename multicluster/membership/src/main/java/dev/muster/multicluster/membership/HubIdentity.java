package dev.muster.multicluster.membership;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Which API server a hub is, so that a kubeconfig that leads to another is noticed.
 *
 * @param uid of the hub's namespace {@code kube-system}: this decides
 * @param server the address at which it was reached, for people
 * @param authority the SHA-256 hash of the certificates that it was trusted by, for people
 */
public record HubIdentity(String uid, String server, @Nullable String authority) {
  private static final int UNAUTHORIZED = 401;
  private static final int FORBIDDEN = 403;

  /** Nothing where the hub does not let the caller look. */
  static Optional<HubIdentity> of(KubernetesClient hub) {
    try {
      return Optional.ofNullable(hub.namespaces().withName("kube-system").get())
          .map(
              system ->
                  new HubIdentity(
                      system.getMetadata().getUid(), hub.getMasterUrl().toString(), hash(hub)));
    } catch (KubernetesClientException e) {
      if (e.getCode() == UNAUTHORIZED || e.getCode() == FORBIDDEN) {
        return Optional.empty();
      }
      throw e;
    }
  }

  private static @Nullable String hash(KubernetesClient hub) {
    var config = hub.getConfiguration();
    try {
      byte @Nullable [] text = null;
      if (config.getCaCertData() != null) {
        text = decoded(config.getCaCertData());
      } else if (config.getCaCertFile() != null) {
        text = Files.readAllBytes(Path.of(config.getCaCertFile()));
      }
      return text == null
          ? null
          : HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(text));
    } catch (IOException e) {
      return null;
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Kubeconfigs have it in Base64; programs may have it as it is. */
  private static byte[] decoded(String data) {
    try {
      return Base64.getMimeDecoder().decode(data);
    } catch (IllegalArgumentException e) {
      return data.getBytes(StandardCharsets.UTF_8);
    }
  }

  boolean isSame(HubIdentity other) {
    return uid.equals(other.uid);
  }

  @Override
  public String toString() {
    return "%s (UID %s)".formatted(server, uid);
  }
}
