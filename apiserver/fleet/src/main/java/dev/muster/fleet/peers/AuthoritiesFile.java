package dev.muster.fleet.peers;

import dev.muster.model.FileProblems;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The text of a CA file, reloaded when it changes. Thread-safe; it reads the file. */
final class AuthoritiesFile implements Supplier<String> {
  private static final Logger log = LoggerFactory.getLogger(AuthoritiesFile.class);

  private record Read(String text, FileTime changed) {}

  private final Path file;
  private volatile Read last;

  /**
   * @throws UncheckedIOException when it cannot be read
   */
  AuthoritiesFile(Path file) {
    this.file = file;
    try {
      this.last = read();
    } catch (IOException e) {
      throw new UncheckedIOException("--peer-ca-file: " + FileProblems.text(file, e), e);
    }
  }

  private Read read() throws IOException {
    var changed = Files.getLastModifiedTime(file);
    return new Read(Files.readString(file), changed);
  }

  @Override
  public String get() {
    try {
      if (!Files.getLastModifiedTime(file).equals(last.changed())) {
        last = read();
        log.info("the authorities of other servers were read again");
      }
    } catch (IOException e) {
      log.warn("{} cannot be read again, what it was stays: {}", file, FileProblems.text(file, e));
    }
    return last.text();
  }
}
