package dev.muster.store.embedded;

import dev.muster.store.StoreException;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches the free space of the disk. Only the committer thread uses it; any thread may read {@link
 * #trouble}.
 *
 * <ul>
 *   <li>With less than {@code minFreeBytes} free, the store accepts only transactions that free
 *       space.
 *   <li>With less than half of that, another process fills the disk. The store then releases the
 *       reserve, for deletes and for the compaction of the database.
 *   <li>The store restores the reserve, piece by piece, when there is space for it.
 * </ul>
 */
final class DiskSpace {
  private static final Logger LOG = LoggerFactory.getLogger(EmbeddedStore.class);
  private static final long LOOK_MILLIS = 100;
  private static final long IDLE_LOOK_MILLIS = 5_000;
  private static final long RESERVE_MILLIS = 10_000;

  private final DataFolder folder;
  private final long minFreeBytes;
  private final ReserveFile reserve;
  private long free;
  private boolean room = true;
  private boolean released;
  private long nextLook;
  private long nextReserve;
  private volatile String trouble = "";

  /** A short-lived store has no reserve. */
  DiskSpace(DataFolder folder, EmbeddedOptions options, long now) {
    this.folder = folder;
    this.minFreeBytes = options.minFreeBytes();
    this.reserve = new ReserveFile(folder.path(), options.reserveBytes());
    this.nextReserve = now + RESERVE_MILLIS;
    check(now);
  }

  /** Whether the store may write any transaction; if false, only ones that free space. */
  boolean hasRoom(long now) {
    if (!room || now >= nextLook) {
      check(now);
    }
    return room;
  }

  /** The time of the next check when there are no writes. */
  long nextIdleLook() {
    return nextLook - LOOK_MILLIS + IDLE_LOOK_MILLIS;
  }

  void check(long now) {
    nextLook = now + LOOK_MILLIS;
    if (!folder.isThere()) {
      throw new StoreException.Unusable(
          "the data folder %s was removed or replaced while it was in use".formatted(folder.path()),
          null);
    }
    free = folder.freeBytes();
    if (free < minFreeBytes / 2 && !reserve.isEmpty()) {
      release(now);
    }
    released &= free < minFreeBytes + reserve.missing();
    boolean before = room;
    room = free >= minFreeBytes && !released;
    if (room != before) {
      if (room) {
        trouble = "";
        LOG.info("the disk of {} has room again: {} are free", folder.path(), text(free));
      } else {
        trouble =
            "the disk of the data folder is full, and only deletes are taken: "
                + "%s are free, %s are needed".formatted(text(free), text(needed()));
        LOG.warn(
            "the disk of {} is full, only deletes are taken: {} are free, {} are needed",
            folder.path(),
            text(free),
            text(needed()));
      }
    }
  }

  /** The free space that is needed before the store accepts more than deletes again. */
  private long needed() {
    return released ? minFreeBytes + reserve.missing() : minFreeBytes;
  }

  /** Formats bytes with a unit, rounded down: free space below a limit never looks like it. */
  static String text(long bytes) {
    if (bytes < 1 << 10) {
      return bytes + " bytes";
    }
    var units = List.of("KiB", "MiB", "GiB", "TiB");
    double amount = bytes / 1024.0;
    int unit = 0;
    while (amount >= 1024 && unit < units.size() - 1) {
      amount /= 1024;
      unit++;
    }
    double shown = Math.floor(amount * 10) / 10;
    return (shown == Math.rint(shown)
            ? String.valueOf((long) shown)
            : String.format(Locale.ROOT, "%.1f", shown))
        + " "
        + units.get(unit);
  }

  /** A write found no space, whatever free space the disk reports. */
  void exhausted(long now) {
    if (!reserve.isEmpty()) {
      release(now);
    }
    nextLook = now;
  }

  private void release(long now) {
    reserve.release();
    released = true;
    nextReserve = now + RESERVE_MILLIS;
    free = folder.freeBytes();
    LOG.warn("the space kept back in {} is released: {} are free", folder.path(), text(free));
  }

  /**
   * Restores a piece of the reserve when the committer is idle; returns false when there is nothing
   * to do.
   */
  boolean tendReserve(long now) {
    if (now < nextReserve || reserve.isWhole()) {
      return false;
    }
    check(now);
    if (free < 2 * minFreeBytes + reserve.missing() || !reserve.grow()) {
      nextReserve = now + RESERVE_MILLIS;
      return false;
    }
    return true;
  }

  String degradedReason() {
    return trouble;
  }

  StoreException full(@Nullable Throwable cause) {
    return new StoreException.Full(
        "the disk of %s is full (%s are free, %s are needed): nothing was written"
            .formatted(folder.path(), text(folder.freeBytes()), text(needed())),
        cause);
  }
}
