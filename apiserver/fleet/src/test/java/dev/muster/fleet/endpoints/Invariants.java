package dev.muster.fleet.endpoints;

import dev.muster.fleet.endpoints.form.AddressFamily;
import dev.muster.fleet.endpoints.form.DesiredEndpoints;
import dev.muster.model.json.JsonObject;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What must hold at every moment of a simulated fleet. Looks at every single write, because what is
 * wrong for an instant is wrong.
 *
 * <ul>
 *   <li>Nobody who lives is taken out, neither of the Endpoints nor of all slices together. Only
 *       who is paused or cut off from the store alone may be; a store that stands still takes
 *       nobody out.
 *   <li>Nobody comes in who does not live: no record, stamp or entry of the past brings anybody in.
 *   <li>Who is gone is out after a while.
 *   <li>A kube-apiserver keeps the port under which it is published.
 *   <li>Endpoints have one family; the Service has two only while a server has.
 * </ul>
 */
final class Invariants {
  private final Simulation simulation;
  private final World world;
  private final Map<String, JsonObject> shown = new HashMap<>();
  private final Map<String, Duration> gone = new HashMap<>();
  private @Nullable Duration lastDual;
  private int seen;

  Invariants(Simulation simulation) {
    this.simulation = simulation;
    this.world = simulation.world;
  }

  /** A server has come to that address. */
  void came(String address, int port) {
    gone.remove(DesiredEndpoints.hostAndPort(address, port));
  }

  /** A server has left that address. */
  void went(String address, int port) {
    if (simulation.owners(address).isEmpty()) {
      gone.put(DesiredEndpoints.hostAndPort(address, port), world.now());
    }
  }

  /** The store was away: nobody could be found dead meanwhile. */
  void thawed() {
    gone.replaceAll((pair, when) -> world.now());
    lastDual = lastDual == null ? null : world.now();
  }

  void check() {
    if (seen == world.changes.size() && world.now().toMillis() % 1000 != 0) {
      return;
    }
    for (var change : world.changes.subList(seen, world.changes.size())) {
      checkChange(change);
    }
    seen = world.changes.size();
    if (simulation.isSomebodyWatching()) {
      checkGone();
    }
    if (simulation.servers.stream().anyMatch(server -> server.dualStack)) {
      lastDual = world.now();
    }
    boolean dual = world.clusterIps().size() == 2;
    if (dual
        && !simulation.servers.isEmpty()
        && !world.isFrozen()
        && (lastDual == null || isLongAgo(lastDual))) {
      simulation.fail("the Service is dual-stack without a dual-stack server");
    }
  }

  private boolean isLongAgo(Duration when) {
    return world.now().minus(when).compareTo(simulation.grace) > 0;
  }

  private void checkGone() {
    var published = new TreeSet<>(world.published());
    published.addAll(world.sliced(AddressFamily.IPV4));
    published.addAll(world.sliced(AddressFamily.IPV6));
    for (var entry : gone.entrySet()) {
      if (published.contains(entry.getKey()) && isLongAgo(entry.getValue())) {
        simulation.fail(entry.getKey() + " is still published after " + simulation.grace);
      }
    }
  }

  private void checkChange(World.Change change) {
    boolean endpoints = change.what().startsWith("ENDPOINTS/");
    if (!endpoints && !change.what().startsWith("SLICE/")) {
      return;
    }
    var before = endpoints ? pairs(shown.get(change.what())) : slicePairs();
    var after = change.after();
    if (after == null) {
      shown.remove(change.what());
    } else {
      shown.put(change.what(), after);
    }
    var now = endpoints ? pairs(shown.get(change.what())) : slicePairs();
    if (endpoints && now.stream().map(Invariants::family).distinct().count() > 1) {
      simulation.fail("Endpoints of both families: " + change);
    }
    if (change.who().startsWith("old") || change.who().equals("hand")) {
      return;
    }
    checkNobodyTakenOut(change, before, now);
    checkNobodyBelieved(change, pairs(change.before()), pairs(after));
    if (endpoints) {
      checkPortsKept(change, before, now);
    }
  }

  private void checkNobodyTakenOut(World.Change change, Set<String> before, Set<String> now) {
    if (change.after() == null && change.what().startsWith("ENDPOINTS/")) {
      return;
    }
    for (var pair : before) {
      var address = address(pair);
      boolean stays =
          simulation.old.stream().anyMatch(server -> server.address.equals(address))
              ? now.stream().anyMatch(other -> address(other).equals(address))
              : now.contains(pair);
      if (!stays && isWell(pair)) {
        simulation.fail("a living server was taken out: " + pair + " by " + change);
      }
    }
  }

  private boolean isWell(String pair) {
    return simulation.servers.stream()
            .anyMatch(
                server ->
                    server.isWell()
                        && server.addresses.contains(address(pair))
                        && pair.endsWith(":" + server.port))
        || simulation.old.stream()
            .anyMatch(server -> server.address.equals(address(pair)) && server.isWell());
  }

  private void checkNobodyBelieved(World.Change change, Set<String> before, Set<String> now) {
    for (var pair : now) {
      var left = gone.get(pair);
      if (!before.contains(pair)
          && simulation.owners(address(pair)).isEmpty()
          && (left == null || isLongAgo(left))) {
        simulation.fail("somebody was believed to live: " + pair + " by " + change);
      }
    }
  }

  private void checkPortsKept(World.Change change, Set<String> before, Set<String> now) {
    for (var pair : before) {
      var address = address(pair);
      boolean alone =
          simulation.old.stream().anyMatch(server -> server.address.equals(address))
              && simulation.servers.stream().noneMatch(one -> one.addresses.contains(address));
      if (alone
          && !now.contains(pair)
          && now.stream().anyMatch(other -> address(other).equals(address))) {
        simulation.fail("a kube-apiserver got another port: " + pair + " by " + change);
      }
    }
  }

  private Set<String> slicePairs() {
    var found = new HashSet<String>();
    shown.forEach(
        (what, object) -> {
          if (what.startsWith("SLICE/")) {
            found.addAll(pairs(object));
          }
        });
    return found;
  }

  /** What an Endpoints object or a slice shows, as address:port. */
  static Set<String> pairs(@Nullable JsonObject object) {
    var found = new HashSet<String>();
    if (object == null) {
      return found;
    }
    for (var subset : object.array("subsets").objects()) {
      for (var address : subset.array("addresses").objects()) {
        for (var port : subset.array("ports").objects()) {
          found.add(DesiredEndpoints.hostAndPort(address.string("ip"), port.integer("port", 0)));
        }
      }
    }
    for (var port : object.array("ports").objects()) {
      for (var endpoint : object.array("endpoints").objects()) {
        for (var address : endpoint.array("addresses").strings()) {
          found.add(DesiredEndpoints.hostAndPort(address, port.integer("port", 0)));
        }
      }
    }
    return found;
  }

  private static String address(String pair) {
    var host = pair.substring(0, pair.lastIndexOf(':'));
    return host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
  }

  private static AddressFamily family(String pair) {
    return AddressFamily.of(address(pair));
  }
}
