package dev.muster.server.audit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes rotated audit files when they are too many or too old, and compresses the others if
 * configured. Thread-safe.
 */
final class LogRetention {
  private static final Logger LOG = LoggerFactory.getLogger(LogRetention.class);
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH-mm-ss.SSS");
  private static final String GZIP = ".gz";

  private final Path folder;
  private final String prefix;
  private final String suffix;
  private final int maxBackups;
  private final int maxAgeDays;
  private final boolean compress;
  private final Clock clock;
  private final Executor threads;
  private final Object tidying = new Object();

  /**
   * A rotated file.
   *
   * @param name without the suffix of compression
   */
  private record Old(Path path, String name, Instant time) {}

  /**
   * @param path of the log itself
   * @param maxBackups 0 for any number
   * @param maxAgeDays 0 for any age
   * @param threads compress files, which may take long
   */
  LogRetention(
      Path path, int maxBackups, int maxAgeDays, boolean compress, Clock clock, Executor threads) {
    var absolute = path.toAbsolutePath();
    var parent = absolute.getParent();
    this.folder = parent == null ? absolute : parent;
    var name = String.valueOf(absolute.getFileName());
    int dot = name.lastIndexOf('.');
    this.prefix = (dot < 0 ? name : name.substring(0, dot)) + "-";
    this.suffix = dot < 0 ? "" : name.substring(dot);
    this.maxBackups = maxBackups;
    this.maxAgeDays = maxAgeDays;
    this.compress = compress;
    this.clock = clock;
    this.threads = threads;
  }

  /** The name of a file rotated at that time, or a moment later if the name is taken. */
  Path name(Instant time) {
    var name = folder.resolve(prefix + TIME.format(time.atOffset(ZoneOffset.UTC)) + suffix);
    return Files.exists(name) ? name(time.plusMillis(1)) : name;
  }

  /** Schedules a cleanup on another thread. */
  void tidy() {
    if (maxBackups > 0 || maxAgeDays > 0 || compress) {
      threads.execute(this::tidyNow);
    }
  }

  void tidyNow() {
    synchronized (tidying) {
      try {
        var stay = new ArrayList<Old>();
        for (var file : found()) {
          if (isTooMuch(file, stay) || isTooOld(file)) {
            Files.deleteIfExists(file.path());
          } else {
            stay.add(file);
          }
        }
        for (var file : stay) {
          if (compress && !file.path().toString().endsWith(GZIP)) {
            compress(file.path());
          }
        }
      } catch (IOException e) {
        LOG.warn("audit: old files in {} could not be tidied: {}", folder, e.toString());
      }
    }
  }

  private boolean isTooMuch(Old file, List<Old> stay) {
    var names = new HashSet<String>();
    stay.forEach(kept -> names.add(kept.name()));
    names.add(file.name());
    return maxBackups > 0 && names.size() > maxBackups;
  }

  private boolean isTooOld(Old file) {
    return maxAgeDays > 0
        && file.time().isBefore(clock.instant().minus(Duration.ofDays(maxAgeDays)));
  }

  /** All rotated files, the newest first. */
  private List<Old> found() throws IOException {
    var found = new ArrayList<Old>();
    try (var files = Files.newDirectoryStream(folder)) {
      for (var file : files) {
        var old = old(file);
        if (old != null && Files.isRegularFile(file)) {
          found.add(old);
        }
      }
    }
    found.sort(Comparator.comparing(Old::time).reversed());
    return found;
  }

  private @Nullable Old old(Path file) {
    var full = String.valueOf(file.getFileName());
    var name = full.endsWith(GZIP) ? full.substring(0, full.length() - GZIP.length()) : full;
    if (!name.startsWith(prefix)
        || !name.endsWith(suffix)
        || name.length() < prefix.length() + suffix.length()) {
      return null;
    }
    try {
      var time = name.substring(prefix.length(), name.length() - suffix.length());
      return new Old(file, name, LocalDateTime.parse(time, TIME).toInstant(ZoneOffset.UTC));
    } catch (DateTimeParseException e) {
      return null;
    }
  }

  private static void compress(Path file) throws IOException {
    var compressed = file.resolveSibling(file.getFileName() + GZIP);
    var part = file.resolveSibling(file.getFileName() + GZIP + ".part");
    try {
      Files.deleteIfExists(part);
      make(part, file);
      try (var out = new GZIPOutputStream(Files.newOutputStream(part, StandardOpenOption.WRITE))) {
        Files.copy(file, out);
      }
      Files.move(part, compressed, StandardCopyOption.ATOMIC_MOVE);
      Files.delete(file);
    } finally {
      Files.deleteIfExists(part);
    }
  }

  /** Creates an empty file with the same permissions. */
  private static void make(Path file, Path like) throws IOException {
    if (Files.getFileStore(like).supportsFileAttributeView("posix")) {
      Files.createFile(
          file, PosixFilePermissions.asFileAttribute(Files.getPosixFilePermissions(like)));
    } else {
      Files.createFile(file);
    }
  }
}
