package dev.muster.store.embedded;

import dev.muster.store.History;
import java.nio.file.Path;
import java.time.Duration;

/**
 * The data folder of an embedded store and its limits.
 *
 * @param folder the data folder; created when it is missing
 * @param history how long the store keeps history before it compacts it; zero leaves compaction to
 *     callers of {@code compact}
 * @param minFreeBytes the free disk space below which the store accepts only deletes, so that the
 *     compaction of the database never meets a full disk
 * @param reserveBytes the size of a file that the store deletes when other processes have filled
 *     the disk, so that there is space for deletes
 * @param maxTransactionBytes the store refuses larger transactions
 */
public record EmbeddedOptions(
    Path folder, Duration history, long minFreeBytes, long reserveBytes, int maxTransactionBytes) {

  public EmbeddedOptions {
    if (history.isNegative() || minFreeBytes < 0 || reserveBytes < 0 || maxTransactionBytes < 1) {
      throw new IllegalArgumentException("options must not be negative");
    }
  }

  /**
   * The defaults: five minutes of history, 64 MiB kept free, 32 MiB in reserve, transactions up to
   * 2 MiB.
   */
  public static EmbeddedOptions in(Path folder) {
    return new EmbeddedOptions(folder, History.DEFAULT, 64 << 20, 32 << 20, 2 << 20);
  }

  public EmbeddedOptions withHistory(Duration history) {
    return new EmbeddedOptions(folder, history, minFreeBytes, reserveBytes, maxTransactionBytes);
  }

  public EmbeddedOptions withReserveBytes(long reserveBytes) {
    return new EmbeddedOptions(folder, history, minFreeBytes, reserveBytes, maxTransactionBytes);
  }

  public EmbeddedOptions withMinFreeBytes(long minFreeBytes) {
    return new EmbeddedOptions(folder, history, minFreeBytes, reserveBytes, maxTransactionBytes);
  }
}
