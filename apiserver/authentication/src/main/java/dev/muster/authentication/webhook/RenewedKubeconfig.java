package dev.muster.authentication.webhook;

import dev.muster.store.OutageLog;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A value made from a kubeconfig, which is read again periodically so that tokens and certificates
 * can be renewed. Thread-safe. Reads files.
 *
 * @param <T> the type of the value
 */
public final class RenewedKubeconfig<T> implements Supplier<T> {
  private static final Logger log = LoggerFactory.getLogger(RenewedKubeconfig.class);
  private static final long FRESH_MILLIS = 60_000;

  private final OutageLog outage = new OutageLog(log);
  private final Path file;
  private final Function<Path, T> reader;
  private final InstantSource clock;
  private T content;
  private long read;

  /**
   * @param reader throws IllegalArgumentException when the file cannot be used
   * @throws IllegalArgumentException when the file cannot be used at the start
   */
  public RenewedKubeconfig(Path file, Function<Path, T> reader, InstantSource clock) {
    this.file = file;
    this.reader = reader;
    this.clock = clock;
    this.content = reader.apply(file);
    this.read = clock.millis();
  }

  /** The value of the current files, or of the last files that could be read. */
  @Override
  public synchronized T get() {
    if (clock.millis() - read >= FRESH_MILLIS) {
      read = clock.millis();
      try {
        content = reader.apply(file);
        outage.ended(file + " can be read again");
      } catch (IllegalArgumentException e) {
        outage.failed(file + " cannot be read any more: " + e.getMessage());
      }
    }
    return content;
  }
}
