package dev.muster.it.streams;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import java.util.function.IntConsumer;

/** Safe for any thread: a command of a container that runs as a process of this machine. */
final class ContainerProcess implements AutoCloseable {
  private final Process process;

  /** Takes what the process hears in order, and waits where the process makes it wait. */
  private final ExecutorService input =
      Executors.newSingleThreadExecutor(Thread.ofVirtual().factory());

  /**
   * @param out called with what it says
   * @param err called with its complaints
   * @param end called with its exit code when it has said everything
   */
  ContainerProcess(
      List<String> command, Consumer<byte[]> out, Consumer<byte[]> err, IntConsumer end) {
    try {
      process = new ProcessBuilder(command).start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    var complaints = Thread.ofVirtual().start(() -> read(process.getErrorStream(), err));
    Thread.ofVirtual()
        .start(
            () -> {
              read(process.getInputStream(), out);
              try {
                complaints.join();
                end.accept(process.waitFor());
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            });
  }

  private static void read(InputStream from, Consumer<byte[]> to) {
    var buffer = new byte[16 * 1024];
    try (from) {
      for (int read = from.read(buffer); read >= 0; read = from.read(buffer)) {
        to.accept(Arrays.copyOf(buffer, read));
      }
    } catch (IOException _) {
      // The process was ended.
    }
  }

  /** Lets it hear something. */
  void hear(byte[] bytes, boolean last) {
    input.execute(
        () -> {
          try {
            process.getOutputStream().write(bytes);
            process.getOutputStream().flush();
            if (last) {
              process.getOutputStream().close();
            }
          } catch (IOException _) {
            // It listens no more.
          }
        });
  }

  @Override
  public void close() {
    process.destroyForcibly();
    input.shutdown();
  }
}
