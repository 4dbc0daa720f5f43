package dev.muster.authentication.token;

import dev.muster.pki.Pem;
import dev.muster.store.OutageLog;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The keys of {@code --service-account-signing-key-file} and {@code --service-account-key-file}.
 * Thread-safe. {@link #refresh} reads files and may block. Files that become unreadable leave the
 * former keys in use.
 */
public final class TokenKeyFiles implements Supplier<TokenKeys> {
  private static final Logger log = LoggerFactory.getLogger(TokenKeyFiles.class);

  private final OutageLog outage = new OutageLog(log);
  private final Path signingFile;
  private final List<Path> verifyingFiles;
  private List<String> texts;
  private volatile TokenKeys keys;

  private TokenKeyFiles(Path signingFile, List<Path> verifyingFiles) {
    this.signingFile = signingFile;
    this.verifyingFiles = List.copyOf(verifyingFiles);
    this.texts = texts();
    this.keys = keys(texts);
  }

  /**
   * @throws IllegalArgumentException when a file holds no key
   */
  public static TokenKeyFiles of(Path signingFile, List<Path> verifyingFiles) {
    return new TokenKeyFiles(signingFile, verifyingFiles);
  }

  private List<String> texts() {
    var read = new ArrayList<String>();
    read.add(Pem.read(signingFile));
    verifyingFiles.forEach(file -> read.add(Pem.read(file)));
    return read;
  }

  private static TokenKeys keys(List<String> texts) {
    return TokenKeys.of(texts.getFirst(), texts.subList(1, texts.size()));
  }

  @Override
  public TokenKeys get() {
    return keys;
  }

  /** Reads the files again if they have changed. The server calls this periodically. */
  public synchronized void refresh() {
    try {
      var read = texts();
      if (!read.equals(texts)) {
        keys = keys(read);
        texts = read;
        log.info("the keys of service account tokens have changed");
      }
      outage.ended("the keys of service account tokens can be read again");
    } catch (UncheckedIOException | IllegalArgumentException e) {
      outage.failed("the keys of service account tokens cannot be read: " + e.getMessage());
    }
  }
}
