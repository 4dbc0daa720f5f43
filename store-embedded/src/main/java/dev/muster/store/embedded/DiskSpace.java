package dev.muster.store.embedded;

import dev.muster.store.StoreException;
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
    look(now);
  }

  /** Whether anything may be written, and not only what makes room. */
  boolean hasRoom(long now) {
    if (!room || now >= nextLook) {
      look(now);
    }
    return room;
  }

  /** When to look next even if nobody writes. */
  long nextIdleLook() {
    return nextLook - LOOK_MILLIS + IDLE_LOOK_MILLIS;
  }

  void look(long now) {
    free = folder.freeBytes();
    if (free < minFreeBytes / 2 && !reserve.isEmpty()) {
      release(now);
    }
    released &= free < minFreeBytes + reserve.missing();
    boolean before = room;
    room = free >= minFreeBytes && !released;
    nextLook = now + LOOK_MILLIS;
    if (room != before) {
      trouble = room ? "" : "the disk of the data folder is full, and only deletes are taken";
      LOG.warn(
          room
              ? "the disk of {} has room again: {} bytes are free"
              : "the disk of {} is full, only deletes are taken: {} bytes are free",
          folder.path(),
          free);
    }
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
    LOG.warn("the space kept back in {} is released: {} bytes are free", folder.path(), free);
  }

  /**
   * Does a little for the reserve when there is nothing else to do; false when there is nothing.
   */
  boolean tendReserve(long now) {
    if (now < nextReserve || reserve.isWhole()) {
      return false;
    }
    look(now);
    if (free < 2 * minFreeBytes + reserve.missing() || !reserve.grow()) {
      nextReserve = now + RESERVE_MILLIS;
      return false;
    }
    return true;
  }

  String trouble() {
    return trouble;
  }

  StoreException full(@Nullable Throwable cause) {
    return new StoreException.Full(
        "the disk of %s is full (%d bytes free, %d are kept free): nothing was written"
            .formatted(folder.path(), folder.freeBytes(), minFreeBytes),
        cause);
  }
}
