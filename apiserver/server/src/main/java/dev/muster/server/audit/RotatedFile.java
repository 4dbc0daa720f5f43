package dev.muster.server.audit;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The audit log file. When it is full it is renamed with its time, such as {@code
 * audit-2026-01-02T03-04-05.678.log}, and a new file begins. One thread uses it. Only the owner of
 * the file can read it. Several servers of one process may share the file, and other programs may
 * move it, so each write checks which file has the name.
 */
final class RotatedFile implements LogOutput {
  private static final Logger LOG = LoggerFactory.getLogger(RotatedFile.class);
  private static final Set<StandardOpenOption> APPENDING =
      Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.APPEND);

  /** One lock per file, for all writers of this process. */
  private static final Map<Path, Object> LOCKS = new ConcurrentHashMap<>();

  private final Path path;
  private final long most;
  private final LogRetention old;
  private final Clock clock;
  private @Nullable FileChannel channel;
  private @Nullable Object key;
  private long size;

  /**
   * Creates the file and its folder if they do not exist.
   *
   * @param most bytes of a file; 0 for no limit
   * @throws IOException when it cannot be written
   */
  RotatedFile(Path path, long most, LogRetention old, Clock clock) throws IOException {
    this.path = path.toAbsolutePath();
    this.most = most;
    this.old = old;
    this.clock = clock;
    var folder = this.path.getParent();
    if (folder != null && !Files.isDirectory(folder)) {
      makeFolder(folder);
    }
    open();
    if (most > 0) {
      old.tidy();
    }
  }

  private static void makeFolder(Path folder) throws IOException {
    if (isPosix(folder)) {
      Files.createDirectories(
          folder,
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    } else {
      Files.createDirectories(folder);
    }
  }

  private static boolean isPosix(Path path) {
    return path.getFileSystem().supportedFileAttributeViews().contains("posix");
  }

  private FileChannel open() throws IOException {
    var open = channel;
    if (open == null) {
      open =
          isPosix(path)
              ? FileChannel.open(
                  path,
                  APPENDING,
                  PosixFilePermissions.asFileAttribute(
                      PosixFilePermissions.fromString("rw-------")))
              : FileChannel.open(path, APPENDING);
      var found = Files.readAttributes(path, BasicFileAttributes.class);
      size = found.isRegularFile() ? found.size() : 0;
      key = found.fileKey();
      channel = open;
    }
    return open;
  }

  @Override
  public long room() {
    return most == 0 ? Long.MAX_VALUE : Math.max(0, most - size);
  }

  @Override
  public void write(byte[] buffer, int from, int to) throws IOException {
    int length = to - from;
    if (most > 0 && length > most) {
      throw new IOException("write length " + length + " exceeds maximum file size " + most);
    }
    synchronized (LOCKS.computeIfAbsent(path, absent -> new Object())) {
      check();
      var open = open();
      if (most > 0 && size + length > most) {
        rotate();
        open = open();
      }
      append(open, buffer, from, length);
    }
  }

  /** Another writer may have extended the file, or another program may have moved it. */
  private void check() throws IOException {
    try {
      var found = Files.readAttributes(path, BasicFileAttributes.class);
      if (!Objects.equals(found.fileKey(), key)) {
        close();
      } else if (found.isRegularFile()) {
        size = found.size();
      }
    } catch (NoSuchFileException e) {
      close();
    }
  }

  private void append(FileChannel open, byte[] buffer, int from, int length) throws IOException {
    long before = size;
    var bytes = ByteBuffer.wrap(buffer, from, length);
    try {
      while (bytes.hasRemaining()) {
        size += open.write(bytes);
      }
    } catch (IOException e) {
      undo(open, before);
      throw e;
    }
  }

  /** Removes an incomplete line, which would make the next one unreadable. */
  private void undo(FileChannel open, long before) {
    try {
      if (size > before && Files.isRegularFile(path)) {
        open.truncate(before);
      }
      size = before;
    } catch (IOException e) {
      LOG.warn("audit: {} ends with a part of a line: {}", path, e.toString());
    }
  }

  private void rotate() throws IOException {
    close();
    var name = old.name(clock.instant());
    if (Files.exists(path)) {
      Files.move(path, name, StandardCopyOption.ATOMIC_MOVE);
    }
    old.tidy();
  }

  @Override
  public void close() {
    var open = channel;
    channel = null;
    if (open != null) {
      try {
        open.close();
      } catch (IOException e) {
        LOG.warn("audit: {} could not be closed: {}", path, e.toString());
      }
    }
  }
}
