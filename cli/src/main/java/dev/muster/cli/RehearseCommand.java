package dev.muster.cli;

import dev.muster.bench.Bench;
import dev.muster.bench.BenchOptions;
import dev.muster.bench.Progress;
import dev.muster.bench.ServerProcesses;
import dev.muster.bench.client.BenchTarget;
import dev.muster.bench.definitions.DefinitionsBench;
import dev.muster.cel.ExpressionChecker;
import dev.muster.cli.command.Command;
import dev.muster.server.flags.FlagDefinition;
import dev.muster.server.flags.RecordFlags;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * {@code muster rehearse}: starts a control plane, uses it a little and stops it. The build runs it
 * once, so that the JVM can keep what it learns for faster starts.
 */
final class RehearseCommand implements Command {
  /**
   * With so many the JVM has seen enough of what is done for each: thirty left a fifth more to do.
   */
  private static final int DEFINITIONS = 200;

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
    return RecordFlags.of(UpFlags.defaults()).definitions();
  }

  @Override
  public int run(Call call) throws InterruptedException {
    var up = RecordFlags.of(UpFlags.defaults()).read(call.flags());
    try (var plane = LocalControlPlane.start(up, Map.of("bind-address", List.of("127.0.0.1")))) {
      var target = BenchTarget.read(plane.kubeconfig(), null);
      var unmeasured = new ServerProcesses(List.of());
      var progress = new Progress(call.out(), false);
      new Bench(target, unmeasured, briefly(), progress).run(result -> {});
      new DefinitionsBench(target, unmeasured, briefly(), progress).run(result -> {});
      ExpressionChecker.rehearse();
    }
    return 0;
  }

  private static BenchOptions briefly() {
    return new BenchOptions(
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
            "custom-update"),
        Duration.ZERO,
        Duration.ofMillis(500),
        8,
        2,
        1,
        20,
        2,
        1024,
        null,
        1,
        DEFINITIONS);
  }
}
