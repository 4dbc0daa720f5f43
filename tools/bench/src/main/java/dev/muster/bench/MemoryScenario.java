package dev.muster.bench;

import java.util.OptionalDouble;
import org.HdrHistogram.Histogram;

/** Reads the resident memory at this point of the run. */
record MemoryScenario(String name, String title) implements Scenario {
  @Override
  public Result run(BenchRun session) {
    return new Result(
        name,
        title,
        0,
        0,
        session.processes().pids().isEmpty() ? "needs --server-pid" : null,
        0,
        new Histogram(3),
        OptionalDouble.empty(),
        session.processes().residentBytes());
  }
}
