package dev.muster.store.encrypted.config;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What an EncryptionConfiguration of {@code apiserver.config.k8s.io/v1} says, with its defaults.
 * Immutable. Texts made of it never hold a key.
 */
public record EncryptionConfiguration(List<ResourceConfiguration> resources) {
  public EncryptionConfiguration {
    resources = List.copyOf(resources);
  }

  /**
   * Some resources, and how they are kept.
   *
   * @param names such as {@code secrets}, {@code widgets.example.com}, {@code *.apps} or {@code
   *     *.*}
   * @param providers the first one writes, all read
   */
  public record ResourceConfiguration(List<String> names, List<ProviderConfiguration> providers) {
    public ResourceConfiguration {
      names = List.copyOf(names);
      providers = List.copyOf(providers);
    }
  }

  /** What one element of a list of providers says; a valid one has exactly one of all these. */
  public record ProviderConfiguration(
      @Nullable KeyList aesgcm,
      @Nullable KeyList aescbc,
      @Nullable KeyList secretbox,
      @Nullable KmsConfiguration kms,
      boolean identity) {}

  /** The keys of a provider, the one that writes first. */
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

  /** A KMS plug-in. */
  public record KmsConfiguration(
      String apiVersion, String name, @Nullable Long cacheSize, String endpoint, Duration timeout) {
    static final Duration TIMEOUT = Duration.ofSeconds(3);
  }
}
