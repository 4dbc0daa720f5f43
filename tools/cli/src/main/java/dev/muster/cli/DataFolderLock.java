package dev.muster.cli;

import dev.muster.cli.command.CommandFailure;
import dev.muster.model.FileProblems;
import dev.muster.store.PrivateFiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Locks a data folder against other processes and other uses in this one, and restricts its file
 * permissions.
 */
final class DataFolderLock implements AutoCloseable {
  private static final String LOCK = "lock";

  /** The entries that a control plane keeps in its folder. */
  private static final Set<String> OWN =
      Set.of(LOCK, "pki", "store", "admin.kubeconfig", "controller-manager.kubeconfig");

  private final FileChannel channel;
  private final List<String> remarks;

  private DataFolderLock(FileChannel channel, List<String> remarks) {
    this.channel = channel;
    this.remarks = remarks;
  }

  /** Warnings for the user about the folder's permissions. */
  List<String> remarks() {
    return remarks;
  }

  /**
   * Creates the folder if it is missing, and locks it.
   *
   * @throws CommandFailure when it is locked or not writable
   */
  static DataFolderLock take(Path folder) {
    FileChannel channel;
    try {
      PrivateFiles.createFolder(folder);
      channel = PrivateFiles.open(folder.resolve(LOCK));
    } catch (IOException e) {
      throw new CommandFailure(
          "the data folder " + folder + " cannot be used: " + FileProblems.text(e), e);
    }
    try {
      if (channel.tryLock() != null) {
        channel.truncate(0);
        channel.write(ByteBuffer.wrap(text(ProcessHandle.current().pid())));
        return new DataFolderLock(channel, keepPrivate(folder));
      }
    } catch (OverlappingFileLockException e) {
      throw inUse(folder, channel);
    } catch (IOException e) {
      throw new CommandFailure(
          "the data folder " + folder + " cannot be locked: " + FileProblems.text(e), e);
    }
    throw inUse(folder, channel);
  }

  /**
   * A folder with other content keeps its permissions; only the control plane's entries are
   * restricted.
   */
  private static List<String> keepPrivate(Path folder) {
    try {
      var repaired = new ArrayList<Path>();
      if (isOursAlone(folder)) {
        repaired.addAll(PrivateFiles.repair(folder.toRealPath()));
      } else {
        for (var name : OWN) {
          repaired.addAll(PrivateFiles.repair(folder.resolve(name)));
        }
      }
      return repaired.isEmpty()
          ? List.of()
          : List.of(
              "the data folder %s was open to other users of this machine; %d of its files and folders are closed now"
                  .formatted(folder, repaired.size()));
    } catch (IOException e) {
      return List.of(
          "OPEN: other users of this machine can look into the data folder "
              + folder
              + ": "
              + FileProblems.text(e));
    }
  }

  private static boolean isOursAlone(Path folder) throws IOException {
    try (var files = Files.list(folder)) {
      return files
          .map(file -> file.getFileName().toString())
          .allMatch(name -> OWN.contains(name) || name.matches("\\..*\\.new"));
    }
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException e) {
      // The lock ends with the process.
    }
  }

  private static CommandFailure inUse(Path folder, FileChannel channel) {
    var owner = "";
    try (channel) {
      var buffer = ByteBuffer.allocate(32);
      channel.read(buffer, 0);
      owner = new String(buffer.array(), 0, buffer.position(), StandardCharsets.US_ASCII).strip();
    } catch (IOException e) {
      // Without the process ID, the message still makes sense.
    }
    return new CommandFailure(
        "the data folder "
            + folder
            + " is in use by another muster"
            + (owner.isEmpty() ? "" : " (process " + owner + ")")
            + "; stop it, or choose another folder with --data");
  }

  private static byte[] text(long pid) {
    return Long.toString(pid).getBytes(StandardCharsets.US_ASCII);
  }
}
