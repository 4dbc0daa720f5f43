package dev.muster.bench;

import dev.muster.bench.client.BenchFailure;
import dev.muster.bench.client.BenchTarget;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/** How long the server of the user's command takes from its start to its first good answer. */
record StartScenario() implements Scenario {
  private static final long LONGEST_NANOS = TimeUnit.SECONDS.toNanos(180);

  @Override
  public String name() {
    return "start";
  }

  @Override
  public String title() {
    return "from start to /readyz";
  }

  @Override
  public Result run(BenchRun session) {
    throw new BenchFailure("start is measured before there is a session");
  }

  Result run(BenchTarget target, String command, int times, Progress progress) {
    var latency = new Histogram(1_000, LONGEST_NANOS, 3);
    OptionalLong resident = OptionalLong.empty();
    String error = null;
    int failures = 0;
    for (int i = 1; i <= times; i++) {
      progress.show("start: " + i + " of " + times);
      try (var server = StartedServer.start(command, target)) {
        latency.recordValue(server.nanosToReady());
        resident = server.with(new ServerProcesses(List.of())).residentBytes();
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
}
