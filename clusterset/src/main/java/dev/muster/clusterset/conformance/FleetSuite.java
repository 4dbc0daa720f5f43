package dev.muster.clusterset.conformance;

import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Used by one thread; blocks it. Checks fleets of API servers of any make by looking at them; it
 * writes nothing. Servers of one cluster, known by the UID of {@code kube-system}, are one fleet.
 */
public final class FleetSuite {
  private final SortedMap<String, KubernetesClient> servers;
  private final Duration time;

  /**
   * @param servers by the names that findings show
   * @param time how long each fleet is watched
   */
  public FleetSuite(SortedMap<String, KubernetesClient> servers, Duration time) {
    this.servers = servers;
    this.time = time;
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
      var seen = new FleetWatch(fleet.getValue()).observe(time, Thread::sleep);
      findings.addAll(judge(String.join(",", fleet.getValue().keySet()), seen));
    }
    return List.copyOf(findings);
  }

  static List<Finding> judge(String name, FleetObservation seen) {
    var findings = new FleetFindings(name);
    IdentityChecks.run(seen, findings);
    DiscoveryChecks.run(seen, findings);
    DualStackChecks.run(seen, findings);
    EndpointChecks.run(seen, findings);
    return findings.all();
  }
}
