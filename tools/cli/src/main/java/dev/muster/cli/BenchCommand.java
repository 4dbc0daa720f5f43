package dev.muster.cli;

import dev.muster.bench.Bench;
import dev.muster.bench.ColdBench;
import dev.muster.bench.Progress;
import dev.muster.bench.Report;
import dev.muster.bench.Result;
import dev.muster.bench.ServerProcesses;
import dev.muster.bench.client.BenchFailure;
import dev.muster.bench.client.BenchTarget;
import dev.muster.bench.definitions.DefinitionsBench;
import dev.muster.bench.tenants.TenantsBench;
import dev.muster.cli.command.Command;
import dev.muster.cli.command.CommandFailure;
import dev.muster.cli.command.Connections;
import dev.muster.cli.command.Logs;
import dev.muster.server.flags.FlagDefinition;
import dev.muster.server.flags.RecordFlags;
import dev.muster.server.options.LoggingOptions;
import java.io.Console;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** {@code muster bench}: measures any API server. */
final class BenchCommand implements Command {
  @Override
  public String name() {
    return "bench";
  }

  @Override
  public String summary() {
    return "Measure an API server.";
  }

  @Override
  public String description() {
    return "Works on objects in namespaces of its own, which it deletes at the end. Scenarios: "
        + String.join(", ", Bench.names())
        + ".";
  }

  @Override
  public List<FlagDefinition> flags() {
    return RecordFlags.of(BenchFlags.defaults()).definitions();
  }

  @Override
  public int run(Call call) {
    var flags = RecordFlags.of(BenchFlags.defaults()).read(call.flags());
    Logs.configure(LoggingOptions.defaults());
    try {
      return measure(flags, call);
    } catch (BenchFailure | IllegalArgumentException e) {
      throw new CommandFailure(String.valueOf(e.getMessage()), e);
    }
  }

  private static int measure(BenchFlags flags, Call call) {
    boolean json = flags.output().json();
    if (!json) {
      call.out().println(Report.heading());
    }
    Consumer<Result> row =
        result -> {
          if (!json) {
            call.out().println(Report.row(result));
          }
        };
    var progress = new Progress(System.err, onTerminal());
    if (flags.load().definitions()) {
      return definitions(flags, call, progress, row);
    }
    var summary = new StringBuilder();
    var results = results(flags, progress, row, summary);
    if (json) {
      call.out().println(Report.json(results));
    } else {
      call.out().print(summary);
    }
    return results.stream().anyMatch(result -> result.errors() > 0) ? 1 : 0;
  }

  private static int definitions(
      BenchFlags flags, Call call, Progress progress, Consumer<Result> row) {
    var bench = new DefinitionsBench(target(flags), processes(flags), flags.options(), progress);
    var results = bench.run(row);
    call.out().print(flags.output().json() ? Report.json(results) + "\n" : bench.summary());
    return 0;
  }

  private static List<Result> results(
      BenchFlags flags, Progress progress, Consumer<Result> row, StringBuilder summary) {
    if (flags.load().tenants()) {
      var tenants = new TenantsBench(target(flags), flags.options(), progress);
      var results = tenants.run(row);
      summary.append(tenants.summary());
      return results;
    }
    return flags.load().cold() ? cold(flags, progress, row) : all(flags, progress, row);
  }

  private static List<Result> all(BenchFlags flags, Progress progress, Consumer<Result> row) {
    return new Bench(target(flags), processes(flags), flags.options(), progress).run(row);
  }

  private static List<Result> cold(BenchFlags flags, Progress progress, Consumer<Result> row) {
    if (flags.target().startCommand() != null) {
      return new ColdBench(target(flags), processes(flags), flags.options(), progress).run(row);
    }
    try (var own = OwnServer.prepare()) {
      var target = BenchTarget.read(own.kubeconfig(), null);
      return new ColdBench(target, processes(flags), flags.options(own.command()), progress)
          .run(row);
    }
  }

  private static BenchTarget target(BenchFlags flags) {
    var kubeconfig = kubeconfig(flags);
    Connections.check("kubeconfig", kubeconfig, flags.target().context());
    return BenchTarget.read(kubeconfig, flags.target().context());
  }

  private static ServerProcesses processes(BenchFlags flags) {
    return new ServerProcesses(flags.target().pids().stream().map(Integer::longValue).toList());
  }

  private static boolean onTerminal() {
    return Optional.ofNullable(System.console()).map(Console::isTerminal).orElse(false);
  }

  private static Path kubeconfig(BenchFlags flags) {
    var given = flags.target().kubeconfig();
    if (given != null) {
      return given;
    }
    var named = System.getenv("KUBECONFIG");
    return named == null || named.isEmpty()
        ? Path.of(".muster", "admin.kubeconfig")
        : Path.of(named);
  }
}
