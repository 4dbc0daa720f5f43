package dev.muster.cli;

import java.util.List;

/** The {@code muster} command. */
public final class Muster {
  private Muster() {}

  public static void main(String[] arguments) {
    var tree =
        new CommandTree(
            List.of(
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
                new RehearseCommand()),
            System.out,
            System.err);
    System.exit(tree.run(arguments));
  }
}
