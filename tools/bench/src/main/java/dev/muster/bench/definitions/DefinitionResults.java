package dev.muster.bench.definitions;

import dev.muster.bench.Progress;
import dev.muster.bench.Result;
import dev.muster.bench.client.Tally;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.function.Consumer;

/** Used by one thread: what was measured with definitions, and what one of them cost by that. */
final class DefinitionResults {
  private final int definitions;
  private final Progress progress;
  private final Consumer<Result> listener;
  private final List<Result> all = new ArrayList<>();
  private final StringBuilder text = new StringBuilder();

  DefinitionResults(int definitions, Progress progress, Consumer<Result> listener) {
    this.definitions = definitions;
    this.progress = progress;
    this.listener = listener;
  }

  List<Result> all() {
    return all;
  }

  /**
   * @param cpuMicros of all that was counted
   * @param memory resident, or what a JVM's heap holds where the title says so
   */
  void add(String name, String title, Tally tally, OptionalLong cpuMicros, OptionalLong memory) {
    long done = Math.max(1, tally.done());
    var result =
        new Result(
            name,
            title,
            tally.done(),
            tally.errors(),
            tally.firstError(),
            0,
            tally.latency(),
            cpuMicros.isPresent()
                ? OptionalDouble.of(cpuMicros.getAsLong() / (double) done)
                : OptionalDouble.empty(),
            memory);
    progress.clear();
    all.add(result);
    listener.accept(result);
  }

  /** Memory at one moment. */
  void memory(String name, String title, OptionalLong bytes) {
    if (bytes.isPresent()) {
      add(name, title, new Tally(), OptionalLong.empty(), bytes);
    }
  }

  /**
   * What the arrival of definitions cost.
   *
   * @param compilers the part of it that compilers of JVMs used
   * @param late how many were not served when they were first asked for
   */
  void costs(OptionalLong cpuMicros, OptionalLong compilers, int late) {
    if (cpuMicros.isPresent() && compilers.isPresent()) {
      line(
          String.format(
              Locale.ROOT,
              "CPU per definition: %.1f ms, %.1f ms of them for a JVM's compilers",
              cpuMicros.getAsLong() / 1_000.0 / definitions,
              compilers.getAsLong() / 1_000.0 / definitions));
    }
    line(
        String.format(
            Locale.ROOT,
            "%d of %d definitions were served at the first request after their create's answer",
            definitions - late,
            definitions));
  }

  /** All in words. */
  String summary() {
    difference("resident", "resident memory");
    difference("heap", "heap after a collection");
    find("definitions-served")
        .ifPresent(
            served ->
                line(
                    String.format(
                        Locale.ROOT,
                        "from a create's answer until it is served: p50 %.1f ms, longest %.1f ms",
                        served.millis(50),
                        served.millis(100))));
    find("others-before")
        .ifPresent(
            before ->
                find("others-meanwhile")
                    .ifPresent(
                        meanwhile ->
                            line(
                                String.format(
                                    Locale.ROOT,
                                    "other requests: p99 %.1f ms before, %.1f ms meanwhile",
                                    before.millis(99),
                                    meanwhile.millis(99)))));
    find("start-without")
        .ifPresent(
            without ->
                find("start-with")
                    .ifPresent(
                        with ->
                            line(
                                String.format(
                                    Locale.ROOT,
                                    "added to the start: %.0f ms, CPU %.0f ms",
                                    with.millis(50) - without.millis(50),
                                    (with.cpuMicrosPerRequest().orElse(0)
                                            - without.cpuMicrosPerRequest().orElse(0))
                                        / 1_000))));
    return text.toString();
  }

  private void difference(String name, String what) {
    var before = bytes(name + "-before");
    for (var moment : List.of("after", "documents")) {
      var after = bytes(name + "-" + moment);
      if (before.isPresent() && after.isPresent()) {
        line(
            String.format(
                Locale.ROOT,
                "%s per definition%s: %.0f KB",
                what,
                moment.equals("after") ? "" : ", OpenAPI documents included",
                (after.getAsLong() - before.getAsLong()) / 1_000.0 / definitions));
      }
    }
  }

  private OptionalLong bytes(String name) {
    return find(name).map(Result::residentBytes).orElse(OptionalLong.empty());
  }

  private Optional<Result> find(String name) {
    return all.stream().filter(result -> result.scenario().equals(name)).findFirst();
  }

  private void line(String sentence) {
    text.append(sentence).append('\n');
  }
}
