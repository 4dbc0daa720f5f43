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
 * The identity of a hub, which detects a kubeconfig that leads to another one.
 *
 * @param uid of the hub's namespace {@code kube-system}; only this is compared
 * @param server the address of the hub, for users
 * @param authority the SHA-256 hash of its certificate authorities, for users
 */
public record HubIdentity(String uid, String server, @Nullable String authority) {
  private static final int UNAUTHORIZED = 401;
  private static final int FORBIDDEN = 403;

  /** Empty if the hub does not permit to read it. */
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

  /** Kubeconfigs hold Base64; programs may hold plain text. */
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
