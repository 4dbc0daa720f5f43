package dev.muster.bench.definitions;

import dev.muster.bench.BenchOptions;
import dev.muster.bench.Progress;
import dev.muster.bench.Result;
import dev.muster.bench.ServerProcesses;
import dev.muster.bench.StartedServer;
import dev.muster.bench.client.BenchFailure;
import dev.muster.bench.client.BenchTarget;
import dev.muster.bench.client.Tally;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;

/**
 * Used by one thread. What many CustomResourceDefinitions cost a server: while they arrive, while
 * they are there, and when it starts with them.
 */
public final class DefinitionsBench {
  private final BenchTarget target;
  private final ServerProcesses given;
  private final BenchOptions options;
  private final Progress progress;
  private final List<GeneratedDefinition> definitions = new ArrayList<>();
  private String summary = "";

  /**
   * @param processes those of the server, or those beside it when a command starts it
   */
  public DefinitionsBench(
      BenchTarget target, ServerProcesses processes, BenchOptions options, Progress progress) {
    this.target = target;
    this.given = processes;
    this.options = options;
    this.progress = progress;
    var prefix = "bench-" + HexFormat.of().toHexDigits(new Random().nextInt());
    for (int i = 0; i < options.definitions(); i++) {
      definitions.add(new GeneratedDefinition(prefix, i));
    }
  }

  /**
   * Measures, and hands out each result as soon as it is there. Without a command that starts the
   * server, its start is left out. All definitions are deleted again.
   *
   * @throws BenchFailure when the server cannot be measured
   */
  public List<Result> run(Consumer<Result> listener) {
    var results = new DefinitionResults(definitions.size(), progress, listener);
    measure(results);
    summary = results.summary();
    return results.all();
  }

  private void measure(DefinitionResults results) {
    var command = options.startCommand();
    if (command == null) {
      try (var arrival = arrival(given, results)) {
        arrival.measure();
        arrival.delete();
      }
      return;
    }
    try (var server = StartedServer.start(command, target)) {
      start("start-without", "start without definitions", server, results);
      try (var arrival = arrival(server.with(given), results)) {
        arrival.measure();
      }
    }
    try (var server = StartedServer.start(command, target)) {
      start("start-with", "start with definitions", server, results);
      try (var arrival = arrival(server.with(given), results)) {
        arrival.delete();
      }
    }
  }

  private DefinitionArrival arrival(ServerProcesses processes, DefinitionResults results) {
    return new DefinitionArrival(target, processes, options, definitions, results, progress);
  }

  private static void start(
      String name, String title, StartedServer server, DefinitionResults results) {
    var tally = new Tally();
    tally.success(server.nanosToReady());
    var own = server.with(new ServerProcesses(List.of()));
    results.add(name, title, tally, own.cpuMicros(), own.residentBytes());
  }

  /** What one definition cost, in words, once it was measured. */
  public String summary() {
    return summary;
  }
}
