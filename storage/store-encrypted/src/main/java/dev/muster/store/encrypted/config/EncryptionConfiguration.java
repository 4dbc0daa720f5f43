package dev.muster.store.encrypted.config;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An EncryptionConfiguration of {@code apiserver.config.k8s.io/v1} with its defaults. Immutable.
 * Its {@code toString} never contains a key.
 */
public record EncryptionConfiguration(List<ResourceConfiguration> resources) {
  public EncryptionConfiguration {
    resources = List.copyOf(resources);
  }

  /**
   * The providers of some resources.
   *
   * @param names such as {@code secrets}, {@code widgets.example.com}, {@code *.apps} or {@code
   *     *.*}
   * @param providers the first one encrypts; all of them decrypt
   */
  public record ResourceConfiguration(List<String> names, List<ProviderConfiguration> providers) {
    public ResourceConfiguration {
      names = List.copyOf(names);
      providers = List.copyOf(providers);
    }
  }

  /**
   * One element of the list of providers. A valid element has exactly one component that is not
   * null.
   */
  public record ProviderConfiguration(
      @Nullable KeyList aesgcm,
      @Nullable KeyList aescbc,
      @Nullable KeyList secretbox,
      @Nullable KmsConfiguration kms,
      boolean identity) {}

  /** The keys of a provider; the first one encrypts. */
  public record KeyList(List<EncryptionKey> all) {
    public KeyList {
      all = List.copyOf(all);
    }
  }

  /**
   * @param secret the key itself, in base64
   */
  public record EncryptionKey(String name, String secret) {
    @Override
    public String toString() {
      return "Name: " + name + ", Secret: [REDACTED]";
    }
  }

  /** The configuration of a KMS plug-in. */
  public record KmsConfiguration(
      String apiVersion, String name, @Nullable Long cacheSize, String endpoint, Duration timeout) {
    static final Duration TIMEOUT = Duration.ofSeconds(3);
  }
}
