package dev.muster.bench;

import dev.muster.bench.client.Api;
import dev.muster.bench.client.BenchFailure;
import dev.muster.bench.client.BenchTarget;
import dev.muster.bench.client.RequestFactory;
import dev.muster.bench.client.Transport;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Measures one API server, ours or not. */
public final class Bench {
  private final BenchTarget target;
  private final ServerProcesses processes;
  private final BenchOptions options;
  private final Progress progress;

  public Bench(
      BenchTarget target, ServerProcesses processes, BenchOptions options, Progress progress) {
    this.target = target;
    this.processes = processes;
    this.options = options;
    this.progress = progress;
    for (var name : options.scenarios()) {
      if (!names().contains(name)) {
        throw new IllegalArgumentException(
            "--scenario: \"" + name + "\" is not one of " + String.join(", ", names()));
      }
    }
  }

  /** The scenarios that there are, in the order in which they run. */
  public static List<String> names() {
    return Scenarios.all().stream().map(Scenario::name).toList();
  }

  /**
   * Runs the chosen scenarios, or all, and hands out each result as soon as it is there. What it
   * creates on the server it deletes again.
   *
   * @throws BenchFailure when the server cannot be measured
   */
  public List<Result> run(Consumer<Result> listener) {
    var chosen = new ArrayList<Scenario>();
    for (var scenario : Scenarios.all()) {
      if (options.scenarios().isEmpty() || options.scenarios().contains(scenario.name())) {
        chosen.add(scenario);
      }
    }
    var results = new ArrayList<Result>();
    Consumer<Result> record =
        result -> {
          progress.clear();
          results.add(result);
          listener.accept(result);
        };
    if (chosen.removeIf(scenario -> scenario instanceof StartScenario)) {
      measureStart(record);
    }
    if (!chosen.isEmpty()) {
      measure(chosen, record);
    }
    return results;
  }

  private void measureStart(Consumer<Result> record) {
    if (options.startCommand() != null) {
      record.accept(
          new StartScenario().run(target, options.startCommand(), options.starts(), progress));
    } else if (options.scenarios().contains("start")) {
      throw new IllegalArgumentException("--scenario: start needs --start-command");
    }
  }

  private void measure(List<Scenario> chosen, Consumer<Result> record) {
    var requests = new RequestFactory(target);
    try (var transport = new Transport(target, options.threads());
        var api = new Api(transport);
        var data = new SeedData(transport, requests, api, options, progress)) {
      var session = new BenchRun(transport, requests, api, processes, data, options, progress);
      for (var scenario : chosen) {
        record.accept(scenario.run(session));
      }
      progress.show("cleaning up");
    } finally {
      progress.clear();
    }
  }
}
