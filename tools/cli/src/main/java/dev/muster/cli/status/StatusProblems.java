package dev.muster.cli.status;

import dev.muster.cli.status.FleetStatus.Leadership;
import dev.muster.cli.status.FleetStatus.Server;
import dev.muster.cli.status.FleetStatus.State;
import dev.muster.cli.status.FleetStatus.StoreState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/** Derives problems and remedies from the state of a fleet. Not thread-safe. */
final class StatusProblems {
  private final FleetStatus status;
  private final List<StatusProblem> found = new ArrayList<>();

  private StatusProblems(FleetStatus status) {
    this.status = status;
  }

  /** Lists causes before their consequences. */
  static List<StatusProblem> of(FleetStatus status) {
    var problems = new StatusProblems(status);
    problems.store();
    problems.servers();
    problems.endpoints();
    problems.discovery();
    problems.leader();
    problems.clocks();
    return List.copyOf(problems.found);
  }

  private void add(String code, String subject, String problem, String action) {
    found.add(new StatusProblem(code, subject, problem, action));
  }

  private void store() {
    var health = status.health();
    var named = new ArrayList<String>();
    for (var check : health.failing()) {
      named.add(
          check.reason().isEmpty() ? check.name() : check.name() + " (" + check.reason() + ")");
    }
    switch (health.store()) {
      case OK -> {}
      case READ_ONLY -> {
        var reason = health.reason(FleetStatus.STORAGE_WRITES);
        add(
            "StoreTakesNoWrites",
            "",
            "the store is reached and does not take every write"
                + (reason.isEmpty() ? "" : ": " + reason),
            "make room: delete what is not needed, or give the store more space; deletes are"
                + " taken. What servers write themselves (Leases, hashes, endpoints) gets old"
                + " until then");
        named.removeIf(each -> each.startsWith(FleetStatus.STORAGE_WRITES));
      }
      case UNREACHED -> {
        add(
            "StoreNotReached",
            "",
            "the server that was asked is not in contact with the store, so what it says may be"
                + " old",
            "look whether the store runs and at that server's log");
        named.removeIf(each -> each.startsWith("etcd") || each.startsWith("informer-sync"));
      }
      case UNKNOWN ->
          add(
              "HealthUnknown",
              "",
              "the server that was asked does not say how it is: " + health.answer(),
              "ask with credentials that may read /readyz");
    }
    if (!named.isEmpty()) {
      add(
          "ServerNotReady",
          "",
          "the server that was asked is not ready: " + String.join(", ", named),
          "look at its log");
    }
  }

  private void servers() {
    for (var server : status.servers()) {
      switch (server.state()) {
        case LIVE -> {}
        case LATE ->
            add(
                "ServerLate",
                server.id(),
                server.id() + " does not renew its Lease: it hangs, is paused, or cannot write",
                "look at its log; it goes on by itself when the store answers");
        case EXPIRED -> {
          if (status.leader() == null) {
            add(
                "LeaseNotCollected",
                server.id(),
                "the Lease of " + server.id() + " has expired, and no controller manager leads",
                "start a controller manager, which collects it");
          }
        }
        case NO_LEASE ->
            add(
                "ServerWithoutLease",
                server.id(),
                server.id() + " has a discovery hash and no identity Lease",
                "if it runs, look whether APIServerIdentity is off there; else the hash goes in"
                    + " 15 minutes");
      }
    }
  }

  /** Compares the published endpoints with the addresses that live servers report. */
  private void endpoints() {
    var published = new TreeSet<String>();
    status.endpoints().values().forEach(published::addAll);
    var advertised = new TreeSet<String>();
    boolean silent = false;
    long present = 0;
    for (var server : status.servers()) {
      if (server.state() != State.EXPIRED && server.state() != State.NO_LEASE) {
        advertised.addAll(server.addresses());
        silent |= server.addresses().isEmpty();
        present++;
      }
    }
    var strange = new TreeSet<>(published);
    strange.removeAll(advertised);
    long most = status.endpoints().values().stream().mapToInt(List::size).max().orElse(0);
    boolean anyLease = status.servers().stream().anyMatch(each -> each.state() != State.NO_LEASE);
    if (anyLease && !strange.isEmpty() && (!silent || most > present)) {
      add(
          "EndpointWithoutLease",
          String.join(", ", strange),
          "%s and %s published: %s %s"
              .formatted(
                  counted(present, "API server is known", "API servers are known"),
                  counted(most, "endpoint is", "endpoints are"),
                  String.join(", ", strange),
                  strange.size() == 1 ? "belongs to no Lease" : "belong to no Lease"),
          "if a server runs there, switch APIServerIdentity on; if none does, its endpoint should"
              + " be gone within a minute: look who else writes the Endpoints kubernetes");
    }
    if (!published.isEmpty()) {
      for (var server : status.servers()) {
        if (server.state() == State.LIVE) {
          var absent = new TreeSet<>(server.addresses());
          absent.removeAll(published);
          absent.removeIf(each -> each.startsWith("127.") || each.startsWith("[::1]"));
          if (!absent.isEmpty()) {
            add(
                "ServerNotPublished",
                server.id(),
                server.id() + " lives and is not published at " + String.join(", ", absent),
                "look at its readiness, its log and --endpoint-reconciler-type");
          }
        }
      }
    }
  }

  private static String counted(long count, String one, String more) {
    return count + " " + (count == 1 ? one : more);
  }

  private void discovery() {
    if (status.consistent().isEmpty() || status.consistent().get()) {
      return;
    }
    var groups = status.byHash();
    if (groups.size() > 1) {
      var parts = new ArrayList<String>();
      groups.forEach(
          (hash, ids) ->
              parts.add(
                  "%s: %s (%s)"
                      .formatted(StatusText.shortened(hash), ids.size(), String.join(", ", ids))));
      boolean tie = status.servers().stream().noneMatch(Server::isOfMost);
      add(
          "DiscoveryInconsistent",
          "",
          "the servers do not serve the same APIs"
              + (tie ? ", and no group is larger than the others" : "")
              + ". By hash: "
              + String.join("; ", parts),
          "in an upgrade, finish it; else compare --runtime-config, --feature-gates and the"
              + " version of the servers");
    } else if (!status.silent().isEmpty()) {
      add(
          "DiscoveryUnknown",
          String.join(", ", status.silent()),
          "it is not known what %s %s"
              .formatted(
                  String.join(", ", status.silent()),
                  status.silent().size() == 1
                      ? "serves: it reports no hash"
                      : "serve: they report no hash"),
          "wait if it has just started; else look whether"
              + " EnableCoordinatedDiscoveryDocument is on there");
    } else if (groups.isEmpty() && status.health().store() == StoreState.OK) {
      add(
          "DiscoveryUnknown",
          "",
          "discovery says that it is not consistent, and no server reports a hash",
          "wait if the servers have just started; else look at their logs");
    }
  }

  private void leader() {
    var leader = status.leader();
    if (leader == null) {
      add(
          "NoControllerManager",
          "",
          "no controller manager leads",
          "start muster controller-manager or kube-controller-manager, unless that is intended");
    } else if (leader.state() == Leadership.DOUBTFUL) {
      add(
          "ControllerManagerDoubtful",
          leader.holder(),
          "it is not known whether "
              + leader.holder()
              + " lives: the time in its Lease is not of now, and it was not watched for long"
              + " enough to see a renewal",
          "ask again with a longer --watch-timeout");
    } else if (leader.state() == Leadership.SILENT) {
      var seen = leader.silence();
      add(
          "ControllerManagerSilent",
          leader.holder(),
          leader.holder()
              + " has not renewed its Lease "
              + (seen == null
                  ? "in time"
                  : "for the " + StatusText.length(seen) + " it was watched"),
          "look whether it runs; another one takes over when the Lease was silent for its whole"
              + " duration");
    }
  }

  private void clocks() {
    var clocks = new Clocks();
    for (var server : status.servers()) {
      var offset = server.clockOffset(status.now());
      if (offset != null) {
        clocks.add(server.id(), offset);
      } else if (server.state() == State.LIVE) {
        // A server that looks alive without observation has a renewal time of now.
        clocks.add(server.id(), Duration.ZERO);
      }
    }
    var asked = status.askedClock();
    if (clocks.alone() && asked != null) {
      clocks.add(status.askedUrl(), Duration.between(status.now(), asked));
    }
    var leader = status.leader();
    if (leader != null && leader.state() == Leadership.LIVE) {
      var offset = leader.clockOffset();
      clocks.add(leader.holder(), offset == null ? Duration.ZERO : offset);
    }
    found.addAll(clocks.problems());
  }
}
