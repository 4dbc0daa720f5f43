package dev.muster.cli;

import dev.muster.cli.clusterset.ClusterSetCommand;
import dev.muster.cli.clusterset.ConformanceCommand;
import dev.muster.cli.clusterset.DnsCommand;
import dev.muster.cli.clusterset.ServicesCommand;
import dev.muster.cli.command.Command;
import dev.muster.cli.command.CommandTree;
import dev.muster.cli.completion.CompletionCommand;
import dev.muster.cli.controllers.ControllerManagerCommand;
import dev.muster.cli.status.StatusCommand;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** The {@code muster} command. */
public final class Main {
  private Main() {}

  public static void main(String[] arguments) {
    // Prints UTF-8 whatever the locale, as all other output.
    System.setOut(new PrintStream(System.out, true, StandardCharsets.UTF_8));
    System.setErr(new PrintStream(System.err, true, StandardCharsets.UTF_8));
    System.exit(new CommandTree(commands(), System.out, System.err).run(arguments));
  }

  /** All commands, in the order of the help. */
  public static List<Command> commands() {
    return List.of(
        new UpCommand(),
        new ApiServerCommand(),
        new ControllerManagerCommand(),
        new ServicesCommand(),
        new DnsCommand(),
        new StatusCommand(),
        new ReencryptCommand(),
        new ClusterSetCommand(),
        new ConformanceCommand(),
        new BenchCommand(),
        new VersionCommand(),
        new CompletionCommand(Main::commands),
        new RehearseCommand());
  }
}
