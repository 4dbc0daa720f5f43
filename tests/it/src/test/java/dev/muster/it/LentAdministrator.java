package dev.muster.it;

import dev.muster.pki.PkiFolder;
import dev.muster.store.PrivateFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;

/**
 * An authority and an administrator, made once and copied into the folders of many control planes:
 * the administrator's key takes a second where the JVM has only its first compiler.
 */
final class LentAdministrator {
  private static final List<String> FILES = List.of("ca.crt", "ca.key", "admin.crt", "admin.key");

  /** Made when it is first needed. */
  private static final class Made {
    static final Path FOLDER = make();

    private static Path make() {
      try {
        var folder = Files.createTempDirectory("lent");
        PkiFolder.open(folder, InstantSource.system())
            .client("admin", "kubernetes-admin", List.of("system:masters"));
        Runtime.getRuntime().addShutdownHook(new Thread(() -> delete(folder)));
        return folder;
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private LentAdministrator() {}

  /** Copies them to where a control plane with that data folder looks for its own. */
  static void to(Path data) {
    try {
      var pki = data.resolve("pki");
      PrivateFiles.createFolder(data);
      PrivateFiles.createFolder(pki);
      for (var file : FILES) {
        Files.copy(Made.FOLDER.resolve(file), pki.resolve(file));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void delete(Path folder) {
    try (var files = Files.list(folder)) {
      for (var file : files.toList()) {
        Files.delete(file);
      }
      Files.delete(folder);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
