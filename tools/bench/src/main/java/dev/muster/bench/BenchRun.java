package dev.muster.bench;

import dev.muster.bench.client.Api;
import dev.muster.bench.client.BenchFailure;
import dev.muster.bench.client.RequestFactory;
import dev.muster.bench.client.Tally;
import dev.muster.bench.client.Transport;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** What the scenarios of one run share: the server, its processes, the data and the options. */
record BenchRun(
    Transport transport,
    RequestFactory requests,
    Api api,
    ServerProcesses processes,
    SeedData data,
    BenchOptions options,
    Progress progress) {

  /** Lets a load warm up, then counts what it does for the chosen time. */
  Result measure(Scenario scenario, Tally tally) {
    wait(scenario.name() + ": warming up", options.warmUp().toMillis(), tally::done);
    tally.reset();
    var cpuBefore = processes.cpuMicros();
    long startedAt = System.nanoTime();
    wait(scenario.name(), options.duration().toMillis(), tally::done);
    double seconds = (System.nanoTime() - startedAt) / 1e9;
    long done = tally.done();
    return new Result(
        scenario.name(),
        scenario.title(),
        done,
        tally.errors(),
        tally.firstError(),
        seconds,
        tally.latency(),
        perRequest(cpuBefore, processes.cpuMicros(), done),
        processes.residentBytes());
  }

  /** Shows the rate until the time is over. */
  private void wait(String what, long millis, LongSupplier done) {
    long startedAt = System.nanoTime();
    long endsAt = startedAt + TimeUnit.MILLISECONDS.toNanos(millis);
    while (true) {
      long now = System.nanoTime();
      if (now >= endsAt) {
        return;
      }
      double seconds = (now - startedAt) / 1e9;
      progress.show(
          "%s: %.0f of %.0f s, %.0f/s"
              .formatted(
                  what, seconds, millis / 1e3, seconds < 0.1 ? 0 : done.getAsLong() / seconds));
      try {
        TimeUnit.NANOSECONDS.sleep(Math.min(endsAt - now, 250_000_000L));
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new BenchFailure("interrupted", e);
      }
    }
  }

  private static OptionalDouble perRequest(OptionalLong before, OptionalLong after, long done) {
    return before.isEmpty() || after.isEmpty() || done == 0
        ? OptionalDouble.empty()
        : OptionalDouble.of((after.getAsLong() - before.getAsLong()) / (double) done);
  }
}
