package dev.muster.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * Starts the server with the user's command and asks it for {@code /readyz} until it answers 200;
 * then stops it. The kubeconfig's server must be the one that the command starts.
 */
record StartScenario() implements Scenario {
  private static final long GIVE_UP_NANOS = TimeUnit.SECONDS.toNanos(120);

  @Override
  public String name() {
    return "start";
  }

  @Override
  public String title() {
    return "from start to /readyz";
  }

  @Override
  public Result run(Session session) {
    throw new BenchFailure("start is measured before there is a session");
  }

  Result run(Kubeconfig target, String command, int times, Progress progress) {
    var latency = new Histogram(1_000, GIVE_UP_NANOS, 3);
    OptionalLong resident = OptionalLong.empty();
    String error = null;
    int failures = 0;
    for (int i = 1; i <= times; i++) {
      progress.show("start: " + i + " of " + times);
      try (var transport = new Transport(target, 1)) {
        if (answersReady(transport, target)) {
          throw new BenchFailure("start: a server already answers at " + target.server());
        }
        long startedAt = System.nanoTime();
        var process = start(command);
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
          latency.recordValue(System.nanoTime() - startedAt);
          resident = new ServerProcesses(List.of(process.pid())).residentBytes();
        } finally {
          stop(process);
        }
      } catch (BenchFailure e) {
        error = String.valueOf(e.getMessage());
        failures++;
        break;
      }
    }
    return new Result(
        name(),
        title(),
        latency.getTotalCount(),
        failures,
        error,
        0,
        latency,
        OptionalDouble.empty(),
        resident);
  }

  private static boolean answersReady(Transport transport, Kubeconfig target) {
    try {
      var connection = transport.connect().orTimeout(5, TimeUnit.SECONDS).join();
      connection.eventLoop().execute(connection::closeNow);
    } catch (CompletionException e) {
      return false;
    }
    try (var api = new Api(transport)) {
      return api.call(new Requests(target).get("/readyz")).ok();
    } catch (BenchFailure e) {
      return false;
    }
  }

  private static Process start(String command) {
    try {
      return new ProcessBuilder("sh", "-c", "exec " + command)
          .redirectErrorStream(true)
          .redirectOutput(ProcessBuilder.Redirect.DISCARD)
          .start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void stop(@Nullable Process process) {
    if (process == null) {
      return;
    }
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
