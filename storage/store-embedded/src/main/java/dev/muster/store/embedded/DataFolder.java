package dev.muster.store.embedded;

import dev.muster.store.PrivateFiles;
import dev.muster.store.StoreException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The data folder of one embedded store. It contains a file that names the format, a lock that
 * keeps other processes out, and the database. The store refuses a foreign folder before it changes
 * anything in it.
 */
final class DataFolder implements AutoCloseable {
  static final String FORMAT_FILE = "FORMAT";
  static final String FORMAT = "muster embedded store, format 1\n";
  private static final String FORMAT_KIND = "muster embedded store, format ";
  private static final String NEW_FORMAT_FILE = "FORMAT.new";
  private static final String LOCK_FILE = "LOCK";
  private static final Logger LOG = LoggerFactory.getLogger(DataFolder.class);

  /**
   * The folders that this process has locked. The store checks this set before it opens the lock
   * file, because closing any descriptor of a file releases all locks of the process on it.
   */
  private static final Set<Path> HELD = ConcurrentHashMap.newKeySet();

  private final Path folder;
  private final FileChannel channel;
  private final FileLock lock;
  private final @Nullable Object lockFile;

  private DataFolder(Path folder, FileChannel channel, FileLock lock, @Nullable Object lockFile) {
    this.folder = folder;
    this.channel = channel;
    this.lock = lock;
    this.lockFile = lockFile;
  }

  /**
   * Opens and locks that folder; creates it when it is missing.
   *
   * @throws StoreException.Unusable when the folder holds other data or another format, or is in
   *     use
   */
  static DataFolder open(Path folder) {
    try {
      checkOurs(folder);
      PrivateFiles.createFolder(folder);
      var real = folder.toRealPath();
      if (!HELD.add(real)) {
        throw inUse(folder, " in this process");
      }
      try {
        return lock(real);
      } catch (IOException | RuntimeException e) {
        HELD.remove(real);
        throw e;
      }
    } catch (IOException e) {
      throw new StoreException.Unusable(
          "the data folder %s cannot be used: %s".formatted(folder, e), e);
    }
  }

  private static DataFolder lock(Path folder) throws IOException {
    var channel = PrivateFiles.open(folder.resolve(LOCK_FILE));
    var lock = channel.tryLock();
    if (lock == null) {
      var owner = readOwner(channel);
      channel.close();
      throw inUse(folder, owner);
    }
    keepPrivate(folder);
    markOurs(folder);
    return new DataFolder(folder, channel, lock, identity(folder.resolve(LOCK_FILE)));
  }

  /** Distinguishes a file from another one of the same name; null where the file system cannot. */
  private static @Nullable Object identity(Path file) throws IOException {
    return Files.readAttributes(file, BasicFileAttributes.class).fileKey();
  }

  /**
   * Whether the folder is still the opened one. After it was removed or replaced, writes still
   * succeed, but into files that cannot be opened again.
   */
  boolean isThere() {
    try {
      return Objects.equals(lockFile, identity(folder.resolve(LOCK_FILE)))
          && Files.exists(database().resolve("CURRENT"));
    } catch (NoSuchFileException e) {
      return false;
    } catch (IOException e) {
      // A failed check does not prove that the folder is gone.
      return true;
    }
  }

  /**
   * Records this process as the owner, after the data proved usable, and restricts the permissions
   * of the files that the database has created meanwhile.
   */
  void claim() {
    keepPrivate(folder);
    try {
      channel.truncate(0);
      channel.write(ByteBuffer.wrap(ascii(Long.toString(ProcessHandle.current().pid()))), 0);
    } catch (IOException e) {
      throw new StoreException.Unusable(
          "the data folder %s cannot be written: %s".formatted(folder, e), e);
    }
  }

  /**
   * Removes the permissions of group and others. The database creates files that everyone may read
   * and relies on the folder to protect them; the existing files are restricted as well.
   */
  private static void keepPrivate(Path folder) {
    try {
      var repaired = PrivateFiles.repair(folder);
      if (repaired.contains(folder)) {
        LOG.warn("the data folder {} was open to others and is not any more", folder);
      }
    } catch (IOException e) {
      LOG.warn("OPEN: others can look into the data folder {}: {}", folder, e.toString());
    }
  }

  private static StoreException inUse(Path folder, String owner) {
    return new StoreException.Unusable(
        "the data folder %s is in use by another store%s".formatted(folder, owner), null);
  }

  private static void checkOurs(Path folder) throws IOException {
    if (!Files.exists(folder)) {
      return;
    }
    if (!Files.isDirectory(folder)) {
      throw new StoreException.Unusable("%s is not a folder".formatted(folder), null);
    }
    var format = folder.resolve(FORMAT_FILE);
    if (Files.exists(format)) {
      var found = Files.size(format) > 200 ? "" : Files.readString(format);
      if (found.equals(FORMAT)) {
        return;
      }
      throw new StoreException.Unusable(
          found.startsWith(FORMAT_KIND)
              ? "the data folder %s has format %s, this version reads format 1"
                  .formatted(folder, found.substring(FORMAT_KIND.length()).strip())
              : "the data folder %s is not an embedded store: its file %s says something else"
                  .formatted(folder, FORMAT_FILE),
          null);
    }
    try (var files = Files.list(folder)) {
      var foreign =
          files
              .map(file -> file.getFileName().toString())
              .filter(name -> !List.of(LOCK_FILE, NEW_FORMAT_FILE).contains(name))
              .sorted()
              .findFirst();
      if (foreign.isPresent()) {
        throw new StoreException.Unusable(
            "the folder %s holds other data (%s) and no embedded store; choose an empty folder"
                .formatted(folder, foreign.get()),
            null);
      }
    }
  }

  private static String readOwner(FileChannel channel) throws IOException {
    var pid = ByteBuffer.allocate(20);
    channel.read(pid, 0);
    var text = new String(pid.array(), 0, pid.position(), StandardCharsets.US_ASCII);
    return text.isEmpty() ? "" : " (process " + text + ")";
  }

  private static void markOurs(Path folder) throws IOException {
    var format = folder.resolve(FORMAT_FILE);
    if (Files.exists(format)) {
      return;
    }
    var fresh = folder.resolve(NEW_FORMAT_FILE);
    try (var file = PrivateFiles.open(fresh)) {
      file.truncate(0);
      file.write(ByteBuffer.wrap(ascii(FORMAT)));
      file.force(true);
    }
    Files.move(fresh, format, StandardCopyOption.ATOMIC_MOVE);
    try (var directory = FileChannel.open(folder, StandardOpenOption.READ)) {
      directory.force(true);
    }
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  Path path() {
    return folder;
  }

  Path database() {
    return folder.resolve("db");
  }

  /** The free space on the disk of this folder, in bytes. */
  long freeBytes() {
    return folder.toFile().getUsableSpace();
  }

  @Override
  public void close() {
    try {
      lock.release();
      channel.close();
    } catch (IOException e) {
      throw new StoreException.Unavailable("cannot release " + folder, e);
    } finally {
      HELD.remove(folder);
    }
  }
}
