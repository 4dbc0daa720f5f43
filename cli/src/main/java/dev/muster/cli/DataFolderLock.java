package dev.muster.cli;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Keeps a second process, or a second use in this one, out of a data folder. */
final class DataFolderLock implements AutoCloseable {
  private final FileChannel channel;

  private DataFolderLock(FileChannel channel) {
    this.channel = channel;
  }

  /**
   * Makes the folder when it is missing, and takes it.
   *
   * @throws CommandFailure when somebody else has it, or it cannot be written to
   */
  static DataFolderLock take(Path folder) {
    FileChannel channel;
    try {
      Files.createDirectories(folder);
      channel =
          FileChannel.open(
              folder.resolve("lock"),
              StandardOpenOption.CREATE,
              StandardOpenOption.READ,
              StandardOpenOption.WRITE);
    } catch (IOException e) {
      throw new CommandFailure("the data folder " + folder + " cannot be used: " + e, e);
    }
    try {
      if (channel.tryLock() != null) {
        channel.truncate(0);
        channel.write(ByteBuffer.wrap(text(ProcessHandle.current().pid())));
        return new DataFolderLock(channel);
      }
    } catch (OverlappingFileLockException e) {
      throw inUse(folder, channel);
    } catch (IOException e) {
      throw new CommandFailure("the data folder " + folder + " cannot be locked: " + e, e);
    }
    throw inUse(folder, channel);
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException e) {
      // The lock goes with the process.
    }
  }

  private static CommandFailure inUse(Path folder, FileChannel channel) {
    var owner = "";
    try (channel) {
      var buffer = ByteBuffer.allocate(32);
      channel.read(buffer, 0);
      owner = new String(buffer.array(), 0, buffer.position(), StandardCharsets.US_ASCII).strip();
    } catch (IOException e) {
      // The message is as good without the process.
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
