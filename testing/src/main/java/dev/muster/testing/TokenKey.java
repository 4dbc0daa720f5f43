package dev.muster.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.util.Base64;
import java.util.Set;

/**
 * Used by any thread. The RSA key that signs service account tokens: a second's work for a server,
 * so that all servers of a test process, one after the other, find the same one.
 */
public final class TokenKey {
  private static final KeyPair KEYS = generate();

  private TokenKey() {}

  /**
   * Writes {@code sa.key} and {@code sa.pub} into the folder of a server's certificates, where it
   * looks for them before it makes its own. A key that is there stays.
   */
  public static void writeTo(Path folder) throws IOException {
    Files.createDirectories(folder, mode("rwx------"));
    if (!Files.exists(folder.resolve("sa.key"))) {
      write(folder.resolve("sa.pub"), "PUBLIC KEY", KEYS.getPublic());
      write(folder.resolve("sa.key"), "PRIVATE KEY", KEYS.getPrivate());
    }
  }

  private static void write(Path file, String type, Key key) throws IOException {
    var base64 = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(key.getEncoded());
    Files.createFile(file, mode("rw-------"));
    Files.writeString(
        file, "-----BEGIN %s-----\n%s\n-----END %s-----\n".formatted(type, base64, type));
  }

  private static FileAttribute<Set<PosixFilePermission>> mode(String permissions) {
    return PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions));
  }

  private static KeyPair generate() {
    try {
      var generator = KeyPairGenerator.getInstance("RSA");
      generator.initialize(2048);
      return generator.generateKeyPair();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this JVM has no RSA", e);
    }
  }
}
