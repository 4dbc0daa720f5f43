package dev.muster.store.embedded;

import dev.muster.store.StoreException;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Owned by the committer's thread, but for {@link #trouble}: how much room the disk has.
 *
 * <ul>
 *   <li>With less than {@code minFreeBytes} free, only what makes room is written.
 *   <li>With less than half of that, somebody else fills the disk: the reserve is released, for
 *       deletes and for the database's own housekeeping.
 *   <li>The reserve comes back, piece by piece, when there is room for it.
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

  /** A store that lives for a moment only keeps nothing back. */
  DiskSpace(DataFolder folder, EmbeddedOptions options, long now) {
    this.folder = folder;
    this.minFreeBytes = options.minFreeBytes();
    this.reserve = new ReserveFile(folder.path(), options.reserveBytes());
    this.nextReserve = now + RESERVE_MILLIS;
    check(now);
  }

  /** Whether anything may be written, and not only what makes room. */
  boolean hasRoom(long now) {
    if (!room || now >= nextLook) {
      check(now);
    }
    return room;
  }

  /** When to look next even if nobody writes. */
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

  /** How much must be free before anything else than deletes is taken again. */
  private long needed() {
    return released ? minFreeBytes + reserve.missing() : minFreeBytes;
  }

  /** In units for people, so that what is needed is never shown as what is there. */
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

  /** A write found no space, whatever the disk says that it has. */
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
   * Does a little for the reserve when there is nothing else to do; false when there is nothing.
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
