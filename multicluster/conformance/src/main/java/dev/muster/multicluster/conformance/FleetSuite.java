package dev.muster.multicluster.conformance;

import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Checks fleets of any API servers by observation. It writes nothing, and causes only faults for
 * which it was given commands. Servers with the same UID of {@code kube-system} form a fleet. Not
 * thread-safe. Blocks the caller.
 */
public final class FleetSuite {
  private final SortedMap<String, KubernetesClient> servers;
  private final Duration time;
  private final Faults faults;

  /**
   * @param servers by the names in findings
   * @param time how long each fleet is observed
   */
  public FleetSuite(SortedMap<String, KubernetesClient> servers, Duration time) {
    this(servers, time, Faults.NONE);
  }

  /**
   * @param servers by the names in findings
   * @param time how long each fleet is observed
   * @param faults to cause afterwards
   */
  public FleetSuite(SortedMap<String, KubernetesClient> servers, Duration time, Faults faults) {
    this.servers = servers;
    this.time = time;
    this.faults = faults;
  }

  public List<Finding> run() throws InterruptedException {
    var fleets = new LinkedHashMap<String, SortedMap<String, KubernetesClient>>();
    for (var server : servers.entrySet()) {
      var system = server.getValue().namespaces().withName("kube-system").get();
      if (system == null) {
        throw new IllegalStateException(server.getKey() + " has no namespace kube-system");
      }
      fleets
          .computeIfAbsent(system.getMetadata().getUid(), uid -> new TreeMap<>())
          .put(server.getKey(), server.getValue());
    }
    var findings = new ArrayList<Finding>();
    for (Map.Entry<String, SortedMap<String, KubernetesClient>> fleet : fleets.entrySet()) {
      var name = String.join(",", fleet.getValue().keySet());
      var seen = new FleetWatch(fleet.getValue()).observe(time, Thread::sleep);
      findings.addAll(evaluate(name, seen));
      var afterFaults = new FleetFindings(name);
      new FaultChecks(fleet.getValue(), faults, afterFaults, Thread::sleep).run();
      findings.addAll(afterFaults.all());
    }
    return List.copyOf(findings);
  }

  static List<Finding> evaluate(String name, FleetObservation seen) {
    var findings = new FleetFindings(name);
    IdentityChecks.run(seen, findings);
    DiscoveryChecks.run(seen, findings);
    DualStackChecks.run(seen, findings);
    EndpointChecks.run(seen, findings);
    return findings.all();
  }
}
