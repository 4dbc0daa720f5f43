package dev.muster.cli.status;

import dev.muster.cli.status.FleetStatus.Health;
import dev.muster.cli.status.FleetStatus.Leader;
import dev.muster.cli.status.FleetStatus.Server;
import dev.muster.cli.status.FleetStatus.State;
import dev.muster.model.Timestamps;
import dev.muster.model.identity.IdentityLease;
import dev.muster.model.json.JsonBool;
import dev.muster.model.json.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Asks one API server about the fleet. Used by one thread. */
public final class StatusReader {
  private static final String LEASES = "/apis/coordination.k8s.io/v1/namespaces/";
  private static final String UPSTREAM_NAMESPACE = "kube-system";
  private static final String HASHES =
      "/apis/apiservercoordination.k8s.io/v1alpha1/discoverydochashes/builtin";
  private static final List<String> CONTROLLER_MANAGERS =
      List.of("muster-controller-manager", "kube-controller-manager");

  /** An API server that answers. */
  public interface Api {
    String url();

    /** The object at that path; empty when there is none. */
    JsonObject get(String path);

    /** The text at that path, whatever the status. */
    String text(String path);
  }

  /**
   * How long servers whose Lease looks old may be watched.
   *
   * @param most zero goes by the clocks
   */
  public record Patience(Duration most, Pause pause) {
    /** Lets time go by. */
    public interface Pause {
      void rest(Duration time) throws InterruptedException;
    }
  }

  private final Api api;
  private final String namespace;
  private final InstantSource clock;
  private final Patience patience;
  private Instant now;

  public StatusReader(Api api, String identityNamespace, InstantSource clock, Patience patience) {
    this.api = api;
    this.namespace = identityNamespace;
    this.clock = clock;
    this.patience = patience;
    this.now = clock.instant();
  }

  public FleetStatus read() throws InterruptedException {
    var leases = new LeaseWatch(api, List.of(namespace, UPSTREAM_NAMESPACE), clock, patience);
    leases.watch();
    now = clock.instant();
    var rows = new LinkedHashMap<String, JsonObject>();
    for (var row : api.get(HASHES).array("hashes").objects()) {
      rows.put(row.string("apiServerID"), row);
    }
    return new FleetStatus(
        api.url(),
        api.get("/version").string("gitVersion"),
        now,
        servers(rows, leases),
        api.get("/apis").get("consistent") instanceof JsonBool told
            ? Optional.of(told.value())
            : Optional.empty(),
        serviceAddresses(),
        endpoints(),
        new FleetStatus.Cluster(
            property("cluster.clusterset.k8s.io"), property("clusterset.k8s.io")),
        leader(),
        health());
  }

  private List<Server> servers(Map<String, JsonObject> rows, LeaseWatch leases) {
    var most = mostCommon(rows);
    var found = new ArrayList<Server>();
    var seen = new LinkedHashSet<String>();
    for (var object : leases.objects()) {
      var lease = IdentityLease.read(object);
      var id = LeaseWatch.id(lease);
      seen.add(id);
      found.add(server(id, lease, object, leases, hash(rows.get(id)), most));
    }
    rows.forEach(
        (id, row) -> {
          if (!seen.contains(id)) {
            var heartbeat = Timestamps.read(row.get("lastHeartbeatTime"));
            found.add(
                new Server(
                    id,
                    "",
                    State.NO_LEASE,
                    null,
                    heartbeat,
                    null,
                    List.of(),
                    hash(row),
                    hash(row).equals(most)));
          }
        });
    return found;
  }

  private Server server(
      String id,
      IdentityLease lease,
      JsonObject object,
      LeaseWatch leases,
      String hash,
      @Nullable String most) {
    var metadata = object.object("metadata");
    var acquired = lease.acquired();
    return new Server(
        id,
        lease.hostname(),
        leases.state(object, now),
        acquired != null ? acquired : Timestamps.read(metadata.get("creationTimestamp")),
        lease.renewed(),
        leases.silence(object),
        lease.addresses(),
        hash,
        hash.equals(most));
  }

  private static String hash(@Nullable JsonObject row) {
    return row == null ? "" : row.string("builtInAPIHash");
  }

  /** The hash that more servers have than any other; null when there is no such. */
  private static @Nullable String mostCommon(Map<String, JsonObject> rows) {
    var counts = new TreeMap<String, Integer>();
    rows.values().forEach(row -> counts.merge(hash(row), 1, Integer::sum));
    String most = null;
    int best = 0;
    for (var entry : counts.entrySet()) {
      if (entry.getValue() > best) {
        most = entry.getKey();
        best = entry.getValue();
      } else if (entry.getValue() == best) {
        most = null;
      }
    }
    return most;
  }

  private String property(String name) {
    return api.get("/apis/about.k8s.io/v1/clusterproperties/" + name)
        .object("spec")
        .string("value");
  }

  private List<String> serviceAddresses() {
    var spec = api.get("/api/v1/namespaces/default/services/kubernetes").object("spec");
    var all = spec.array("clusterIPs").strings();
    return all.isEmpty() && !spec.string("clusterIP").isEmpty()
        ? List.of(spec.string("clusterIP"))
        : all;
  }

  private SortedMap<String, List<String>> endpoints() {
    var families = new TreeMap<String, TreeSet<String>>();
    families.put("IPv4", new TreeSet<>());
    families.put("IPv6", new TreeSet<>());
    var slices =
        api.get(
            "/apis/discovery.k8s.io/v1/namespaces/default/endpointslices"
                + "?labelSelector=kubernetes.io/service-name%3Dkubernetes");
    for (var slice : slices.array("items").objects()) {
      var addresses = families.computeIfAbsent(slice.string("addressType"), f -> new TreeSet<>());
      for (var port : slice.array("ports").objects()) {
        for (var endpoint : slice.array("endpoints").objects()) {
          for (var address : endpoint.array("addresses").strings()) {
            var host = address.contains(":") ? "[" + address + "]" : address;
            addresses.add(host + ":" + port.integer("port", 0));
          }
        }
      }
    }
    var result = new TreeMap<String, List<String>>();
    families.forEach((family, addresses) -> result.put(family, List.copyOf(addresses)));
    return result;
  }

  private @Nullable Leader leader() {
    for (var name : CONTROLLER_MANAGERS) {
      var spec = api.get(LEASES + "kube-system/leases/" + name).object("spec");
      if (!spec.string("holderIdentity").isEmpty()) {
        return new Leader(
            "kube-system/" + name,
            spec.string("holderIdentity"),
            Timestamps.read(spec.get("acquireTime")),
            Timestamps.read(spec.get("renewTime")));
      }
    }
    return null;
  }

  private Health health() {
    var report = api.text("/readyz?verbose");
    var failing = new ArrayList<String>();
    for (var line : report.lines().toList()) {
      if (line.startsWith("[-]")) {
        failing.add(line.substring(3).replaceFirst(" .*", ""));
      }
    }
    boolean store = report.contains("[+]etcd ok");
    return new Health(report.contains("readyz check passed"), store, failing);
  }
}
