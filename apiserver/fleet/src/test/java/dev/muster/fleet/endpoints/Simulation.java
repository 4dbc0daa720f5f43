package dev.muster.fleet.endpoints;

import dev.muster.fleet.endpoints.form.AddressFamily;
import dev.muster.fleet.endpoints.form.DesiredEndpoints;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;

/**
 * A fleet in a simulated world, driven by a seed, with a checker that looks after every step. What
 * it finds wrong is collected, so that a test can also show that it finds something.
 */
final class Simulation {
  static final Duration STEP = Duration.ofMillis(250);
  static final String RANGES = "10.0.0.0/24,fd00::/112";
  static final Duration LEASE_GRACE = Duration.ofSeconds(27);

  final World world = new World();
  final Random random;
  final List<SimServer> servers = new ArrayList<>();
  final List<OldServer> old = new ArrayList<>();
  final List<String> wrong = new ArrayList<>();

  /** The time after which nothing of a dead server may be seen any more. */
  Duration grace = LEASE_GRACE;

  private final Invariants invariants = new Invariants(this);
  private int depth;

  /** How many schedules to run: all of them with {@code -Dmuster.simulation.percent=100}. */
  static int seeds(int most) {
    return Math.max(2, most * Integer.getInteger("muster.simulation.percent", 20) / 100);
  }

  Simulation(long seed) {
    this.random = new Random(seed);
  }

  /** A server with an address of its number. */
  SimServer start(int number, EndpointOptions options) {
    return start("s" + number, "192.0.2." + number, 6443, RANGES, options);
  }

  SimServer start(String name, String addresses, int port, String ranges, EndpointOptions options) {
    return start(name, addresses, port, ranges, options, Duration.ZERO);
  }

  SimServer start(
      String name,
      String addresses,
      int port,
      String ranges,
      EndpointOptions options,
      Duration skew) {
    var server = new SimServer(world, name, addresses, port, ranges, options, skew);
    server.between = this::interfere;
    servers.add(server);
    server.addresses.forEach(address -> invariants.came(address, port));
    return server;
  }

  OldServer startOld(String address, int port) {
    var server = new OldServer(world, address, port);
    old.add(server);
    invariants.came(address, port);
    return server;
  }

  void kill(SimServer server) {
    servers.remove(server);
    server.addresses.forEach(address -> invariants.went(address, server.port));
  }

  void stop(SimServer server) {
    boolean well = server.isWell();
    server.leave();
    kill(server);
    for (var address : server.addresses) {
      var text = DesiredEndpoints.hostAndPort(address, server.port);
      if (well
          && owners(address).isEmpty()
          && server.type != ReconcilerType.NONE
          && published().contains(text)) {
        fail(text + " is still published after a clean stop");
      }
    }
  }

  void kill(OldServer server) {
    old.remove(server);
    invariants.went(server.address, server.port);
  }

  void stop(OldServer server) {
    server.leave();
    kill(server);
  }

  /** The names of those that live at an address. */
  List<String> owners(String address) {
    var found = new ArrayList<String>();
    servers.stream()
        .filter(server -> server.addresses.contains(address))
        .forEach(server -> found.add(server.name));
    old.stream()
        .filter(server -> server.address.equals(address))
        .forEach(server -> found.add("old " + address));
    return found;
  }

  /** Whether somebody would notice that a server is gone. */
  boolean isSomebodyWatching() {
    return !world.isFrozen() && servers.stream().anyMatch(server -> server.hasWatchedFor(grace));
  }

  void thaw() {
    world.thaw();
    invariants.thawed();
    servers.forEach(SimServer::thawed);
  }

  /** Long enough for every server to have had its say. */
  void settle() {
    run(Duration.ofSeconds(30));
  }

  void run(Duration time) {
    var end = world.now().plus(time);
    while (world.now().compareTo(end) < 0) {
      world.advance(STEP);
      var order = new ArrayList<>(servers);
      Collections.shuffle(order, random);
      for (var server : order) {
        if (servers.contains(server)) {
          server.tick();
        }
      }
      List.copyOf(old).forEach(OldServer::tick);
      invariants.check();
    }
  }

  /** Others may act while one server is about to write. */
  private void interfere() {
    if (depth > 0 || servers.size() < 2 || random.nextInt(4) != 0) {
      return;
    }
    depth++;
    try {
      servers.get(random.nextInt(servers.size())).tick();
    } finally {
      depth--;
    }
  }

  /** No change for that long. */
  void quiet(Duration time) {
    int before = world.changes.size();
    run(time);
    for (var change : world.changes.subList(before, world.changes.size())) {
      fail("changed when all was settled: " + change);
    }
  }

  void fail(String problem) {
    if (wrong.size() < 200) {
      wrong.add(world.now() + ": " + problem);
    }
  }

  private Set<String> published() {
    return new TreeSet<>(world.published());
  }

  /** What every living server wants to be known under. */
  List<String> expected(AddressFamily family, int oldPort) {
    var all = new TreeSet<String>();
    for (var server : servers) {
      for (var address : server.addresses) {
        if (AddressFamily.of(address) == family) {
          all.add(DesiredEndpoints.hostAndPort(address, server.port));
        }
      }
    }
    for (var server : old) {
      if (AddressFamily.of(server.address) == family) {
        all.add(DesiredEndpoints.hostAndPort(server.address, oldPort));
      }
    }
    return List.copyOf(all);
  }

  /** The state that a settled fleet must show. */
  void checkSettled(int port) {
    var primary =
        world.clusterIps().isEmpty()
            ? AddressFamily.IPV4
            : AddressFamily.of(world.clusterIps().strings().getFirst());
    same("Endpoints", published(), expected(primary, port));
    same("primary slices", world.sliced(primary), expected(primary, port));
    same("secondary slices", world.sliced(primary.other()), expected(primary.other(), port));
    boolean dual = servers.stream().anyMatch(server -> server.dualStack);
    if (dual != (world.clusterIps().size() == 2)) {
      fail("the Service has " + world.clusterIps() + ", dual-stack servers: " + dual);
    }
  }

  private void same(String what, Iterable<String> now, List<String> wanted) {
    var sorted = new ArrayList<String>();
    now.forEach(sorted::add);
    sorted.sort(null);
    if (!sorted.equals(wanted)) {
      fail(what + " are " + sorted + " instead of " + wanted);
    }
  }
}
