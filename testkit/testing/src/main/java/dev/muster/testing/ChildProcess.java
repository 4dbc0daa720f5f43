package dev.muster.testing;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A child process of a test, killed when closed and when this JVM ends. A thread reads its output,
 * errors included, and provides it line by line.
 */
public final class ChildProcess implements AutoCloseable {
  private static final String END = "\0end";

  private final Process process;
  private final Thread killer;
  private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();
  private final List<String> allLines = new ArrayList<>();

  private ChildProcess(Process process) {
    this.process = process;
    killer = new Thread(process::destroyForcibly);
    Runtime.getRuntime().addShutdownHook(killer);
    Thread.ofVirtual().start(this::read);
  }

  public static ChildProcess start(List<String> command) {
    try {
      return new ChildProcess(new ProcessBuilder(command).redirectErrorStream(true).start());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * The command that runs a main class on this JVM's class path; you can put a wrapper before it.
   */
  public static List<String> java(Class<?> main, String... arguments) {
    var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    return Stream.concat(
            Stream.of(
                java,
                "--enable-native-access=ALL-UNNAMED",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xmx256m",
                "-cp",
                System.getProperty("java.class.path"),
                main.getName()),
            Stream.of(arguments))
        .toList();
  }

  private void read() {
    try (var output = new BufferedReader(process.inputReader(StandardCharsets.UTF_8))) {
      for (var line = output.readLine(); line != null; line = output.readLine()) {
        synchronized (allLines) {
          allLines.add(line);
        }
        lines.add(line);
      }
    } catch (IOException _) {
      // Killing the process breaks the pipe after all of its output has been read.
    } finally {
      lines.add(END);
    }
  }

  /** The next line of output, or null at the end of the process's output. */
  public @Nullable String nextLine() throws InterruptedException {
    var line = lines.poll(60, TimeUnit.SECONDS);
    if (line == null) {
      throw new AssertionError("no output for a minute; so far: " + output());
    }
    if (line.equals(END)) {
      lines.add(END);
      return null;
    }
    return line;
  }

  /** All output so far. */
  public List<String> output() {
    synchronized (allLines) {
      return List.copyOf(allLines);
    }
  }

  /** Waits for the end of the process and returns its exit code. */
  public int waitFor() throws InterruptedException {
    if (!process.waitFor(60, TimeUnit.SECONDS)) {
      throw new AssertionError("still running after a minute; output: " + output());
    }
    return process.exitValue();
  }

  public long pid() {
    return process.pid();
  }

  public boolean isAlive() {
    return process.isAlive();
  }

  /** Kills the process as {@code kill -9} does, and waits for its end. */
  public void kill() {
    process.destroyForcibly();
    try {
      process.waitFor();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Asks the process to end, as {@code kill} does; its remaining output can be read. */
  public void terminate() {
    // Process.destroy would also close its output.
    process.toHandle().destroy();
  }

  /** Asks the process to end, and kills it if it does not. */
  public void stop() {
    terminate();
    try {
      if (!process.waitFor(60, TimeUnit.SECONDS)) {
        kill();
      }
    } catch (InterruptedException e) {
      kill();
      Thread.currentThread().interrupt();
    }
  }

  /** Freezes the process: its connections stay open, but it answers nothing. */
  public void pause() {
    signal("STOP");
  }

  /** Resumes the process after {@link #pause}. */
  public void resume() {
    signal("CONT");
  }

  /** Uses the shell's built-in command, because a program is not installed on every machine. */
  private void signal(String name) {
    try {
      var shell =
          new ProcessBuilder("sh", "-c", "kill -s %s %d".formatted(name, pid()))
              .redirectErrorStream(true)
              .start();
      var output = new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      if (shell.waitFor() != 0) {
        throw new AssertionError("no %s for process %d: %s".formatted(name, pid(), output));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    kill();
    try {
      Runtime.getRuntime().removeShutdownHook(killer);
    } catch (IllegalStateException _) {
      // This JVM is ending and runs the hook itself.
    }
  }
}
