package dev.muster.cli;

import dev.muster.bench.BenchOptions;
import dev.muster.server.options.flag.FileKind;
import dev.muster.server.options.flag.Flag;
import dev.muster.server.options.flag.FlagGroup;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The flags of {@code muster bench}. */
record BenchFlags(Target target, Load load, Output output) {

  /** The server to measure. */
  @FlagGroup("Server")
  record Target(
      @Flag(
              name = "kubeconfig",
              file = FileKind.KUBECONFIG,
              help =
                  "File with the server's address and a client certificate or token that may do"
                      + " everything. Unset: what KUBECONFIG names, or .muster/admin.kubeconfig.")
          @Nullable Path kubeconfig,
      @Flag(name = "context", help = "The kubeconfig's context. Unset: its current one.")
          @Nullable String context,
      @Flag(
              name = "server-pid",
              help =
                  "Process whose CPU time and memory are measured; repeat it for a server of"
                      + " several processes, such as an API server and its etcd.")
          List<Integer> pids,
      @Flag(
              name = "start-command",
              help =
                  "Command that starts the server of the kubeconfig, for the scenario start, for"
                      + " --cold and for --definitions. It is stopped with SIGTERM.")
          @Nullable String startCommand) {}

  /** The load. */
  @FlagGroup("Load")
  record Load(
      @Flag(name = "scenario", help = "Run only this one; repeatable.") List<String> scenarios,
      @Flag(name = "duration", help = "How long each scenario is measured.") Duration duration,
      @Flag(name = "warm-up", help = "How long each scenario runs before it is measured.")
          Duration warmUp,
      @Flag(name = "in-flight", help = "Requests in flight at any moment.") int inFlight,
      @Flag(name = "connections", help = "HTTP/2 connections that they share.") int connections,
      @Flag(name = "threads", help = "Threads of the load generator.") int threads,
      @Flag(name = "watches", help = "Watches of the scenario watch.") int watches,
      @Flag(
              name = "watch-connections",
              help =
                  "Connections that the watches share; those of the scenario kubelets at most 100"
                      + " each, and --nodes of them give every kubelet its own.")
          int watchConnections,
      @Flag(name = "nodes", help = "Nodes of the scenario kubelets; each watches its own pods.")
          int nodes,
      @Flag(name = "pods", help = "Pods of the scenario kubelets, over all nodes.") int pods,
      @Flag(name = "rate", help = "Statuses of pods that the scenario kubelets patches a second.")
          int rate,
      @Flag(name = "object-bytes", help = "Size of the data of each ConfigMap.") int objectBytes,
      @Flag(name = "starts", help = "How often the scenario start starts the server, and --cold.")
          int starts,
      @Flag(
              name = "cold",
              help =
                  "Measure the first requests to a server that has just started, in place of the"
                      + " scenarios. Without --start-command: one server of this Muster.")
          boolean cold,
      @Flag(
              name = "tenants",
              help =
                  "Measure what a tenant, node heartbeats and leader elections notice of a tenant"
                      + " that sends as much as it can, in place of the scenarios. Takes four"
                      + " times as long as --warm-up and --duration say, without and with it.")
          boolean tenants,
      @Flag(
              name = "definitions",
              help =
                  "Measure what many CustomResourceDefinitions cost, in place of the scenarios."
                      + " With --start-command also what they add to a start.")
          boolean definitions,
      @Flag(name = "definition-count", help = "How many definitions --definitions creates.")
          int definitionCount) {}

  /** The output. */
  @FlagGroup("Output")
  record Output(
      @Flag(name = "json", help = "Print one JSON array in place of a table.") boolean json) {}

  static BenchFlags defaults() {
    var options = BenchOptions.defaults();
    return new BenchFlags(
        new Target(null, null, List.of(), null),
        new Load(
            options.scenarios(),
            options.duration(),
            options.warmUp(),
            options.inFlight(),
            options.connections(),
            options.threads(),
            options.watches(),
            options.watchConnections(),
            options.kubelets().nodes(),
            options.kubelets().pods(),
            options.kubelets().rate(),
            options.objectBytes(),
            options.starts(),
            false,
            false,
            false,
            options.definitions()),
        new Output(false));
  }

  BenchOptions options() {
    return options(target.startCommand);
  }

  /** The options, with that start command instead of the user's. */
  BenchOptions options(@Nullable String startCommand) {
    return new BenchOptions(
        load.scenarios,
        load.warmUp,
        load.duration,
        load.inFlight,
        load.connections,
        load.threads,
        load.watches,
        load.watchConnections,
        load.objectBytes,
        startCommand,
        load.starts,
        load.definitionCount,
        new BenchOptions.Kubelets(load.nodes, load.pods, load.rate));
  }
}
