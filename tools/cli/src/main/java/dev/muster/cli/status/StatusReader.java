package dev.muster.cli.status;

import static dev.muster.cli.status.FleetStatus.STORAGE_WRITES;

import dev.muster.cli.status.FleetStatus.Agreement;
import dev.muster.cli.status.FleetStatus.FailingCheck;
import dev.muster.cli.status.FleetStatus.Health;
import dev.muster.cli.status.FleetStatus.Server;
import dev.muster.cli.status.FleetStatus.State;
import dev.muster.cli.status.FleetStatus.StoreState;
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

/** Reads the state of the fleet from one API server. Not thread-safe. */
public final class StatusReader {
  private static final String UPSTREAM_NAMESPACE = "kube-system";
  private static final String HASHES =
      "/apis/apiservercoordination.k8s.io/v1alpha1/discoverydochashes/builtin";

  private static final String FAILED = "internal server error:";

  /** An API server that answers. */
  public interface Api {
    String url();

    /** The object at that path; empty when it does not exist. */
    JsonObject get(String path);

    /** The text at that path, whatever the HTTP status. */
    String text(String path);

    /** What the server's clock showed at its last answer; null when it did not say. */
    @Nullable Instant clock();
  }

  /**
   * How long to observe Leases that look old.
   *
   * @param most zero to decide by the clocks
   */
  public record Patience(Duration most, Pause pause) {
    /** Waits. */
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
    var leader = new LeaderWatch(api, clock, patience).watch();
    var health = health();
    var askedClock = api.clock();
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
        leader,
        health,
        askedClock);
  }

  private List<Server> servers(Map<String, JsonObject> rows, LeaseWatch leases) {
    var most = mostCommon(rows, leases);
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
                    agreement(hash(row), most)));
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
        agreement(hash, most));
  }

  private static Agreement agreement(String hash, @Nullable String most) {
    if (hash.isEmpty() || most == null) {
      return Agreement.UNDECIDED;
    }
    return hash.equals(most) ? Agreement.OF_MOST : Agreement.OF_FEWER;
  }

  private static String hash(@Nullable JsonObject row) {
    return row == null ? "" : row.string("builtInAPIHash");
  }

  /** The most common hash; null when there is none. */
  private @Nullable String mostCommon(Map<String, JsonObject> rows, LeaseWatch leases) {
    var counts = new TreeMap<String, Integer>();
    var counted = new LinkedHashMap<>(rows);
    for (var object : leases.objects()) {
      if (leases.state(object, now) == State.EXPIRED) {
        counted.remove(LeaseWatch.id(IdentityLease.read(object)));
      }
    }
    counted.values().forEach(row -> counts.merge(hash(row), 1, Integer::sum));
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

  private Health health() {
    var report = api.text("/readyz?verbose");
    var failing = new ArrayList<FailingCheck>();
    for (var line : report.lines().toList()) {
      if (line.startsWith("[-]")) {
        var name = line.substring(3).replaceFirst(" .*", "");
        failing.add(new FailingCheck(name, reason(name)));
      }
    }
    boolean writes = failing.stream().noneMatch(check -> check.name().equals(STORAGE_WRITES));
    boolean told = report.contains("]etcd ");
    var store =
        told
            ? report.contains("[+]etcd ok")
                ? writes ? StoreState.OK : StoreState.READ_ONLY
                : StoreState.UNREACHED
            : StoreState.UNKNOWN;
    return new Health(
        report.contains("readyz check passed"),
        store,
        failing,
        report.lines().findFirst().orElse("nothing"));
  }

  /** The endpoint of a single check reports the reason of its failure to permitted users. */
  private String reason(String check) {
    var answer = api.text("/readyz/" + check).strip();
    return answer.startsWith(FAILED) ? answer.substring(FAILED.length()).strip() : "";
  }
}
