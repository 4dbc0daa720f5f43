package dev.muster.bench;

import dev.muster.bench.client.Api;
import dev.muster.bench.client.BenchFailure;
import dev.muster.bench.client.BenchTarget;
import dev.muster.bench.client.RequestFactory;
import dev.muster.bench.client.Transport;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Used by one thread: a server that a user's command started for a measurement. It is asked for
 * {@code /readyz} until it answers 200, and stopped with SIGTERM at the end.
 */
public final class StartedServer implements AutoCloseable {
  private static final long GIVE_UP_NANOS = TimeUnit.SECONDS.toNanos(120);

  private final Process process;
  private final long nanosToReady;

  private StartedServer(Process process, long nanosToReady) {
    this.process = process;
    this.nanosToReady = nanosToReady;
  }

  /**
   * Starts it and waits until it is ready.
   *
   * @param target must be the one that the command starts
   */
  public static StartedServer start(String command, BenchTarget target) {
    try (var transport = new Transport(target, 1)) {
      if (answersReady(transport, target)) {
        throw new BenchFailure("start: a server already answers at " + target.server());
      }
      long startedAt = System.nanoTime();
      var process = run(command);
      try {
        while (!answersReady(transport, target)) {
          if (!process.isAlive()) {
            throw new BenchFailure("start: the command ended with " + process.exitValue());
          }
          if (System.nanoTime() - startedAt > GIVE_UP_NANOS) {
            throw new BenchFailure("start: not ready within 120 s");
          }
          pause(5);
        }
        return new StartedServer(process, System.nanoTime() - startedAt);
      } catch (BenchFailure e) {
        stop(process);
        throw e;
      }
    }
  }

  public long nanosToReady() {
    return nanosToReady;
  }

  /** The process, all that it has started, and those others. */
  public ServerProcesses with(ServerProcesses others) {
    var pids = new ArrayList<>(others.pids());
    Stream.concat(Stream.of(process.toHandle()), process.descendants())
        .map(ProcessHandle::pid)
        .forEach(pids::add);
    return new ServerProcesses(pids);
  }

  @Override
  public void close() {
    stop(process);
  }

  private static boolean answersReady(Transport transport, BenchTarget target) {
    try {
      var connection = transport.connect().orTimeout(5, TimeUnit.SECONDS).join();
      connection.eventLoop().execute(connection::closeNow);
    } catch (CompletionException e) {
      return false;
    }
    try (var api = new Api(transport)) {
      return api.call(new RequestFactory(target).get("/readyz")).ok();
    } catch (BenchFailure e) {
      return false;
    }
  }

  private static Process run(String command) {
    try {
      return new ProcessBuilder(List.of("sh", "-c", "exec " + command))
          .redirectErrorStream(true)
          .redirectOutput(ProcessBuilder.Redirect.DISCARD)
          .start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void stop(Process process) {
    process.destroy();
    try {
      if (!process.waitFor(30, TimeUnit.SECONDS)) {
        process.destroyForcibly().waitFor();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }

  private static void pause(long millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new BenchFailure("interrupted", e);
    }
  }
}
