package dev.muster.cli.clusterset;

import dev.muster.cli.command.Command;
import dev.muster.cli.command.CommandFailure;
import dev.muster.cli.command.Logs;
import dev.muster.cli.command.TextTable;
import dev.muster.multicluster.conformance.AboutSuite;
import dev.muster.multicluster.conformance.Finding;
import dev.muster.multicluster.conformance.FleetSuite;
import dev.muster.multicluster.conformance.Reports;
import dev.muster.server.flags.FlagDefinition;
import dev.muster.server.flags.FlagException;
import dev.muster.server.flags.RecordFlags;
import dev.muster.server.options.LoggingOptions;
import dev.muster.server.options.flag.FileKind;
import dev.muster.server.options.flag.Flag;
import dev.muster.server.options.flag.FlagGroup;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * {@code muster conformance}: checks whether clusters of any implementation meet the requirements
 * of the KEPs and proposals.
 */
public final class ConformanceCommand implements Command {
  private static final List<String> FLEET = List.of("fleet");
  private static final List<List<String>> SUITES = List.of(List.of("about"), FLEET);

  /** The flags of {@code muster conformance}. */
  record Flags(Checks checks, FaultFlags faults) {
    static Flags defaults() {
      return new Flags(Checks.defaults(), FaultFlags.defaults());
    }
  }

  /** The checks to run. */
  @FlagGroup("Conformance")
  record Checks(
      @Flag(
              name = "kubeconfig",
              file = FileKind.KUBECONFIG,
              help =
                  "Kubeconfig of a cluster to check; several times or with commas for more. Of a"
                      + " fleet, each may lead to another of its servers.")
          List<String> kubeconfigs,
      @Flag(
              name = "destructive",
              help =
                  "Of clusters, also try to change and delete the well-known properties of members,"
                      + " which a cluster must refuse; what it takes is undone. Of a fleet, cause"
                      + " the faults for which there are commands.")
          boolean destructive,
      @Flag(name = "watch-for", help = "How long a fleet is watched.") Duration watchFor,
      @Flag(
              name = "junit-file",
              file = FileKind.OUTPUT,
              help = "Write the findings there as JUnit XML.")
          @Nullable Path junitFile,
      @Flag(name = "json-file", file = FileKind.OUTPUT, help = "Write the findings there as JSON.")
          @Nullable Path jsonFile,
      @Flag(name = "request-timeout", help = "How long a server may take to answer.")
          Duration timeout) {
    Checks {
      kubeconfigs = List.copyOf(kubeconfigs);
    }

    static Checks defaults() {
      return new Checks(
          List.of(), false, Duration.ofSeconds(30), null, null, Duration.ofSeconds(10));
    }
  }

  @Override
  public String name() {
    return "conformance";
  }

  @Override
  public String summary() {
    return "Check clusters and fleets of any make against the documents that Muster implements.";
  }

  @Override
  public String description() {
    return "SUITE is about: ClusterProperty and its well-known properties; or fleet: the API"
        + " servers' identity Leases, coordinated discovery, and the endpoints of the kubernetes"
        + " Service in both families. Nothing is left behind. Each result is PASS with what was"
        + " observed, FAIL, or NOT OBSERVED with the reason. Ends with 1 when a cluster breaks what"
        + " it must do, with 0 otherwise; what a fleet does not implement it does not break.";
  }

  @Override
  public List<FlagDefinition> flags() {
    return RecordFlags.of(Flags.defaults()).definitions();
  }

  @Override
  public String operands() {
    return "SUITE";
  }

  @Override
  public List<String> words() {
    return List.of("about", "fleet");
  }

  @Override
  public int run(Call call) throws IOException, InterruptedException {
    var given = RecordFlags.of(Flags.defaults()).read(call.flags());
    var flags = given.checks();
    var faults = given.faults().read();
    if (!SUITES.contains(call.rest())) {
      throw new FlagException("SUITE must be about or fleet");
    }
    if (flags.kubeconfigs().isEmpty()) {
      throw new FlagException("--kubeconfig: must be given");
    }
    if (flags.watchFor().isNegative()) {
      throw new FlagException("--watch-for: must not be negative");
    }
    boolean fleet = call.rest().equals(FLEET);
    if (!faults.possible().isEmpty() && !(fleet && flags.destructive())) {
      throw new FlagException("the commands of faults: are for the suite fleet with --destructive");
    }
    if (fleet && flags.destructive() && faults.possible().isEmpty()) {
      throw new FlagException(
          "--destructive: a fleet needs the command of a fault with it, such as --kill-command");
    }
    Logs.configureQuiet(LoggingOptions.defaults());
    var clusters = new TreeMap<String, KubernetesClient>();
    try {
      for (var file : flags.kubeconfigs()) {
        var client = ClusterSetCommand.connect("--kubeconfig", Path.of(file), flags.timeout());
        clusters.put(file, client);
      }
      return report(
          call,
          flags,
          fleet
              ? new FleetSuite(clusters, flags.watchFor(), faults).run()
              : new AboutSuite(clusters, flags.destructive()).run());
    } catch (KubernetesClientException | IllegalStateException e) {
      throw CommandFailure.ofRequest(e);
    } finally {
      clusters.values().forEach(KubernetesClient::close);
    }
  }

  private static int report(Call call, Checks flags, List<Finding> findings) throws IOException {
    TextTable.of(Reports.rows(findings)).forEach(call.out()::println);
    var junit = flags.junitFile();
    if (junit != null) {
      Files.writeString(junit, Reports.junit(findings));
    }
    var json = flags.jsonFile();
    if (json != null) {
      Files.writeString(json, Reports.json(findings));
    }
    var absent = new TreeSet<String>();
    findings.stream()
        .filter(finding -> finding.result() == Finding.Result.NOT_IMPLEMENTED)
        .forEach(
            finding ->
                absent.add(
                    finding.cluster()
                        + " does not implement "
                        + finding.requirement().document()
                        + "."));
    long broken = findings.stream().filter(Finding::isViolation).count();
    long unobserved =
        findings.stream()
            .filter(finding -> finding.result() == Finding.Result.NOT_OBSERVED)
            .filter(finding -> finding.requirement().isMust())
            .count();
    call.out().println();
    absent.forEach(call.out()::println);
    call.out()
        .println(
            (broken == 0 ? "Every MUST that was observed holds" : broken + " MUST broken")
                + (unobserved == 0 ? "." : "; " + unobserved + " MUST not observed."));
    return broken == 0 ? 0 : 1;
  }
}
