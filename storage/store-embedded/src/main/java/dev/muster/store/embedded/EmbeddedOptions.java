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
 * @param minFreeBytes while the disk has less free space than this, only deletes are taken, so that
 *     the engine's own housekeeping never runs into a full disk
 * @param reserveBytes kept in a file that is deleted when others have filled the disk, so that
 *     there is room for deletes even then
 * @param maxTransactionBytes larger transactions are refused
 */
public record EmbeddedOptions(
    Path folder, Duration history, long minFreeBytes, long reserveBytes, int maxTransactionBytes) {

  public EmbeddedOptions {
    if (history.isNegative() || minFreeBytes < 0 || reserveBytes < 0 || maxTransactionBytes < 1) {
      throw new IllegalArgumentException("options must not be negative");
    }
  }

  /** Five minutes of history, 64 MiB kept free, 32 MiB in reserve, transactions up to 2 MiB. */
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
