package dev.muster.bench;

/** Something to measure. */
interface Scenario {
  String name();

  /** What it does, for the report. */
  String title();

  Result run(BenchRun session);
}
