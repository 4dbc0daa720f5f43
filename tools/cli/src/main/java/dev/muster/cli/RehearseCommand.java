package dev.muster.cli;

import dev.muster.bench.Bench;
import dev.muster.bench.BenchOptions;
import dev.muster.bench.Progress;
import dev.muster.bench.ServerProcesses;
import dev.muster.bench.client.BenchTarget;
import dev.muster.bench.definitions.DefinitionsBench;
import dev.muster.cel.ExpressionChecker;
import dev.muster.cli.command.Command;
import dev.muster.cli.controllers.ControllersInProcess;
import dev.muster.server.flags.FlagDefinition;
import dev.muster.server.flags.RecordFlags;
import dev.muster.server.options.flag.Flag;
import dev.muster.server.options.flag.FlagGroup;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * {@code muster rehearse}: starts a control plane, uses it briefly and stops it. The build runs it
 * once to record the JVM's cache for faster starts.
 */
final class RehearseCommand implements Command {
  /** Enough definitions for the JVM to learn what is done for each; thirty left a fifth more. */
  private static final int DEFINITIONS = 200;

  private static final List<String> SCENARIOS =
      List.of(
          "get",
          "list",
          "list-protobuf",
          "create",
          "patch",
          "apply",
          "update-pod",
          "discovery",
          "watch",
          "custom-list",
          "custom-create",
          "custom-update");

  @FlagGroup("Rehearsal")
  private record RehearseFlags(
      UpFlags up,
      @Flag(
              name = "briefly",
              help = "Only load what starts and requests need; for tests, which do little more.")
          boolean briefly) {}

  private static final RecordFlags<RehearseFlags> FLAGS =
      RecordFlags.of(new RehearseFlags(UpFlags.defaults(), false));

  @Override
  public String name() {
    return "rehearse";
  }

  @Override
  public String summary() {
    return "Start a control plane, use it a little, and stop.";
  }

  @Override
  public String description() {
    return "Used by the build to make starts faster.";
  }

  @Override
  public boolean hidden() {
    return true;
  }

  @Override
  public List<FlagDefinition> flags() {
    return FLAGS.definitions();
  }

  @Override
  public int run(Call call) throws InterruptedException {
    var flags = FLAGS.read(call.flags());
    var controllers = ControllersInProcess.read(Map.of(), List.of("*"), null);
    var loopback = Map.of("bind-address", List.of("127.0.0.1"));
    try (var plane = LocalControlPlane.start(flags.up(), loopback, controllers)) {
      var target = BenchTarget.read(plane.kubeconfig(), null);
      var unmeasured = new ServerProcesses(List.of());
      var progress = new Progress(call.out(), false);
      var options =
          flags.briefly()
              ? bench(20, List.of("create", "patch", "watch"), 2)
              : bench(500, SCENARIOS, DEFINITIONS);
      new Bench(target, unmeasured, options, progress).run(result -> {});
      new DefinitionsBench(target, unmeasured, options, progress).run(result -> {});
      ExpressionChecker.rehearse();
    }
    return 0;
  }

  private static BenchOptions bench(int millis, List<String> scenarios, int definitions) {
    return new BenchOptions(
        scenarios,
        Duration.ZERO,
        Duration.ofMillis(millis),
        8,
        2,
        1,
        20,
        2,
        1024,
        null,
        1,
        definitions,
        new BenchOptions.Kubelets(4, 8, 20));
  }
}
