package dev.muster.bench;

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

  int definitions() {
    return definitions;
  }

  static String summary(List<Result> results) {
    var text = new StringBuilder();
    find(results, "definitions")
        .ifPresent(
            made -> {
              made.cpuMicrosPerRequest()
                  .ifPresent(cpu -> line(text, "CPU per definition: %.1f ms", cpu / 1_000));
              difference(results, "resident", made.requests(), "resident memory", text);
              difference(results, "heap", made.requests(), "heap after a collection", text);
            });
    find(results, "definitions-served")
        .ifPresent(
            served ->
                line(
                    text,
                    "from a create's answer until it is served: p50 %.1f ms, longest %.1f ms",
                    served.millis(50),
                    served.millis(100)));
    find(results, "others-before")
        .ifPresent(
            before ->
                find(results, "others-meanwhile")
                    .ifPresent(
                        meanwhile ->
                            line(
                                text,
                                "other requests: p99 %.1f ms before, %.1f ms meanwhile",
                                before.millis(99),
                                meanwhile.millis(99))));
    find(results, "start-without")
        .ifPresent(
            without ->
                find(results, "start-with")
                    .ifPresent(
                        with ->
                            line(
                                text,
                                "added to the start: %.0f ms, CPU %.0f ms",
                                with.millis(50) - without.millis(50),
                                (with.cpuMicrosPerRequest().orElse(0)
                                        - without.cpuMicrosPerRequest().orElse(0))
                                    / 1_000)));
    return text.toString();
  }

  private static void difference(
      List<Result> results, String name, long count, String what, StringBuilder text) {
    var before = bytes(results, name + "-before");
    for (var moment : List.of("after", "documents")) {
      var after = bytes(results, name + "-" + moment);
      if (before.isPresent() && after.isPresent()) {
        line(
            text,
            "%s per definition%s: %.0f KB",
            what,
            moment.equals("after") ? "" : ", OpenAPI documents included",
            (after.getAsLong() - before.getAsLong()) / 1_000.0 / count);
      }
    }
  }

  private static OptionalLong bytes(List<Result> results, String name) {
    return find(results, name).map(Result::residentBytes).orElse(OptionalLong.empty());
  }

  private static Optional<Result> find(List<Result> results, String name) {
    return results.stream().filter(result -> result.scenario().equals(name)).findFirst();
  }

  private static void line(StringBuilder text, String format, Object... values) {
    text.append(String.format(Locale.ROOT, format, values)).append('\n');
  }
}
