package dev.muster.store.embedded;

import dev.muster.store.History;
import java.nio.file.Path;
import java.time.Duration;

/**
 * Where an embedded store lives and what it keeps.
 *
 * @param folder the data folder; made when it is missing
 * @param history how long history is kept before the store trims it by itself; zero leaves trimming
 *     to callers of {@code compact}
 * @param minFreeBytes commits are refused while the disk has less free space than this, so that the
 *     engine's own housekeeping never runs into a full disk
 * @param maxTransactionBytes larger transactions are refused
 */
public record EmbeddedOptions(
    Path folder, Duration history, long minFreeBytes, int maxTransactionBytes) {

  public EmbeddedOptions {
    if (history.isNegative() || minFreeBytes < 0 || maxTransactionBytes < 1) {
      throw new IllegalArgumentException("options must not be negative");
    }
  }

  /** The defaults: five minutes of history, 64 MiB kept free, transactions up to 2 MiB. */
  public static EmbeddedOptions in(Path folder) {
    return new EmbeddedOptions(folder, History.DEFAULT, 64 << 20, 2 << 20);
  }

  public EmbeddedOptions withHistory(Duration history) {
    return new EmbeddedOptions(folder, history, minFreeBytes, maxTransactionBytes);
  }

  public EmbeddedOptions withMinFreeBytes(long minFreeBytes) {
    return new EmbeddedOptions(folder, history, minFreeBytes, maxTransactionBytes);
  }
}
