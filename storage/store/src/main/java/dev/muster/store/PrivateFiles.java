package dev.muster.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Creates files and folders that hold secrets. Only their owner can open them, from the first byte
 * on. On a file system without POSIX permissions they get default permissions.
 */
public final class PrivateFiles {
  private static final Set<PosixFilePermission> FOLDER =
      PosixFilePermissions.fromString("rwx------");
  private static final Set<PosixFilePermission> FILE = PosixFilePermissions.fromString("rw-------");
  private static final boolean POSIX =
      FileSystems.getDefault().supportedFileAttributeViews().contains("posix");

  private PrivateFiles() {}

  /** Creates a folder and its missing parents. */
  public static void createFolder(Path folder) throws IOException {
    if (!Files.isDirectory(folder)) {
      Files.createDirectories(folder, attributes(FOLDER));
    }
  }

  /** Opens a file for reading and writing; creates it when it is missing. */
  public static FileChannel open(Path file) throws IOException {
    return FileChannel.open(
        file,
        Set.of(StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE),
        attributes(FILE));
  }

  /**
   * Replaces the content of a file atomically and creates its missing folder. Readers see the old
   * content or the new content, even after a crash.
   */
  public static void write(Path file, String text) throws IOException {
    var parent = file.toAbsolutePath().getParent();
    if (parent != null) {
      createFolder(parent);
    }
    var temporary = file.resolveSibling("." + file.getFileName() + ".new");
    Files.deleteIfExists(temporary);
    try (var channel =
        FileChannel.open(
            temporary,
            Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
            attributes(FILE))) {
      var bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
      channel.force(true);
    }
    Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE);
  }

  /**
   * Removes the permissions of group and others from a file, or from a folder and everything in it.
   * Leaves links alone and ignores missing files.
   *
   * @return the paths whose permissions changed
   * @throws IOException when permissions cannot be changed
   */
  public static List<Path> repair(Path root) throws IOException {
    var repaired = new ArrayList<Path>();
    if (POSIX) {
      Files.walkFileTree(root, new Repair(repaired));
    }
    return repaired;
  }

  private static FileAttribute<?>[] attributes(Set<PosixFilePermission> permissions) {
    return POSIX
        ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(permissions)}
        : new FileAttribute<?>[0];
  }

  /** Restricts each folder before it visits the folder's content. */
  private static final class Repair extends SimpleFileVisitor<Path> {
    private final List<Path> repaired;

    Repair(List<Path> repaired) {
      this.repaired = repaired;
    }

    @Override
    public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes)
        throws IOException {
      close(folder, FOLDER);
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
      if (attributes.isRegularFile()) {
        close(file, FILE);
      }
      return FileVisitResult.CONTINUE;
    }

    /** Ignores missing files: a running database removes files at any time. */
    @Override
    public FileVisitResult visitFileFailed(Path file, IOException failure) throws IOException {
      if (failure instanceof NoSuchFileException) {
        return FileVisitResult.CONTINUE;
      }
      throw failure;
    }

    private void close(Path path, Set<PosixFilePermission> owners) throws IOException {
      try {
        if (!owners.containsAll(Files.getPosixFilePermissions(path))) {
          Files.setPosixFilePermissions(path, owners);
          repaired.add(path);
        }
      } catch (NoSuchFileException e) {
        // The file was removed meanwhile, so there is nothing to protect.
      }
    }
  }
}
