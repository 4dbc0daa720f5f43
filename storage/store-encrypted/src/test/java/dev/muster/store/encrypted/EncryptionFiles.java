package dev.muster.store.encrypted;

import dev.muster.model.GroupResource;
import dev.muster.store.Entry;
import dev.muster.store.Store;
import dev.muster.store.encrypted.kms.KmsPlugin;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Base64;

/** EncryptionConfigurations of tests, and encryption with short times. */
final class EncryptionFiles {
  /** Everything is of a resource by its first word, but what begins with "internal". */
  static final StorageResources FIRST_WORD =
      key -> {
        int end = key.indexOf('/', 1);
        var word = key.substring(1, end < 0 ? key.length() : end);
        return word.startsWith("internal") ? null : new GroupResource("", word);
      };

  private EncryptionFiles() {}

  /** A key of 32 bytes, other for each name. */
  static String secret(String name) {
    var bytes = Arrays.copyOf(name.getBytes(StandardCharsets.UTF_8), 32);
    return Base64.getEncoder().encodeToString(bytes);
  }

  /** A provider such as aescbc with keys of those names. */
  static String keyed(String kind, String... names) {
    var text = new StringBuilder("  - " + kind + ":\n      keys:\n");
    for (var name : names) {
      text.append("      - name: ").append(name).append('\n');
      text.append("        secret: ").append(secret(name)).append('\n');
    }
    return text.toString();
  }

  static String kms(String name, String endpoint) {
    return "  - kms:\n      apiVersion: v2\n      name: "
        + name
        + "\n      endpoint: "
        + endpoint
        + "\n      timeout: 3s\n";
  }

  static final String IDENTITY = "  - identity: {}\n";

  /** One list of resources with those providers. */
  static String configuration(String resources, String... providers) {
    return "kind: EncryptionConfiguration\napiVersion: apiserver.config.k8s.io/v1\nresources:\n"
        + "- resources: ["
        + resources
        + "]\n  providers:\n"
        + String.join("", providers);
  }

  /** Replaces the file at once, as a careful administrator does. */
  static Path write(Path file, String text) {
    try {
      var next = file.resolveSibling(file.getFileName() + ".next");
      Files.writeString(next, text);
      return Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** With short times. */
  static Encryption start(Path file, boolean reload, EncryptionObserver observer) {
    var pace =
        new KmsPlugin.Pace(
            Duration.ofMillis(200),
            Duration.ofMillis(100),
            Duration.ofMinutes(3),
            Duration.ofMillis(200),
            Duration.ofMillis(100));
    return Encryption.start(
        new Encryption.Settings(file, reload, false, Duration.ofMillis(50), pace),
        InstantSource.system(),
        observer);
  }

  static Encryption start(Path file) {
    return start(file, false, EncryptionObserver.NONE);
  }

  /** What a store says of a key that must be there. */
  static Entry entry(Store store, String key) {
    try (var image = store.image()) {
      for (var entry : image) {
        if (entry.key().equals(key)) {
          return entry;
        }
      }
    }
    throw new AssertionError("nothing is stored at " + key);
  }

  /** The bytes of a key as characters. */
  static String stored(Store store, String key) {
    return new String(entry(store, key).value(), StandardCharsets.ISO_8859_1);
  }
}
