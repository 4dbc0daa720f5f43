package dev.muster.multicluster.membership;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * Used by one thread. Hubs and clusters in memory, whose calls fail as chance will: before they
 * have an effect, or after.
 */
final class SimulatedFleet {
  /** Somebody pulled the plug. */
  static final class Crash extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  record Key(String clusterSet, String clusterId) {}

  record Held(String uid, Phase phase) {}

  /** One hub: what a claim's name leads to. */
  static final class SimulatedHub {
    final Map<Key, Held> claims = new HashMap<>();
    final String uid;

    SimulatedHub(String uid) {
      this.uid = uid;
    }
  }

  final class Cluster implements MemberCluster {
    final String uid;
    Optional<MembershipState.Target> wanted = Optional.empty();
    Optional<String> id;
    Optional<String> mirror = Optional.empty();
    Optional<Claim> recorded = Optional.empty();
    boolean partitioned;

    Cluster(String uid, String id) {
      this.uid = uid;
      this.id = Optional.of(id);
    }

    @Override
    public Optional<MembershipState.Target> wanted() {
      return wanted;
    }

    @Override
    public Optional<String> id() {
      return id;
    }

    @Override
    public Optional<String> mirror() {
      return mirror;
    }

    @Override
    public Optional<Claim> recorded() {
      return recorded;
    }

    @Override
    public void record(Claim claim) {
      perhapsCrashing(() -> recorded = Optional.of(claim));
    }

    @Override
    public void forget() {
      perhapsCrashing(() -> recorded = Optional.empty());
    }

    @Override
    public void restoreId(Claim claim) {
      perhapsCrashing(() -> id = Optional.of(claim.clusterId()));
    }

    @Override
    public void mirror(Claim claim) {
      perhapsCrashing(
          () -> {
            if (mirror.isPresent()) {
              throw new Crash();
            }
            mirror = Optional.of(claim.clusterSet());
          });
    }

    @Override
    public void removeMirror() {
      perhapsCrashing(() -> mirror = Optional.empty());
    }

    /** The definition of ClusterProperty is deleted. */
    void loseProperties() {
      id = Optional.empty();
      mirror = Optional.empty();
    }

    /** What the controller of the cluster's identity does where there is no ID. */
    void identify() {
      if (id.isEmpty()) {
        id = recorded.map(Claim::clusterId).or(() -> Optional.of(uid));
      }
    }

    /** As the rules for cluster properties allow it. */
    void rename(String other) {
      if (mirror.isEmpty()) {
        id = Optional.of(other);
      }
    }
  }

  private final RandomGenerator random;
  private final MembershipRules rules;
  final Map<String, SimulatedHub> hubs = new HashMap<>();
  final List<Cluster> clusters = new ArrayList<>();
  double trouble = 0.15;

  SimulatedFleet(RandomGenerator random, MembershipRules rules, int clusterCount) {
    this.random = random;
    this.rules = rules;
    hubs.put("hub-1", new SimulatedHub("uid-of-hub-1"));
    hubs.put("hub-2", new SimulatedHub("uid-of-hub-2"));
    for (int i = 0; i < clusterCount; i++) {
      clusters.add(new Cluster("uid-" + i, "id-" + random.nextInt(4)));
    }
  }

  /** Steps until there is none left, without a crash. */
  MembershipStep run(Cluster cluster) {
    return new MembershipRun(rules, cluster, secret -> hub(cluster, secret)).run();
  }

  /** One step of one cluster, which may break off anywhere. */
  void step(Cluster cluster) {
    try {
      var done = new MembershipRun(rules, cluster, secret -> hub(cluster, secret)).step();
      assert done != null;
    } catch (Crash e) {
      // The process is gone; the next step is another one's.
    }
  }

  SimulatedHub hubNamed(String secret) {
    return Objects.requireNonNull(hubs.get(secret), secret);
  }

  private Hub hub(Cluster cluster, String secret) {
    var hub = hubNamed(secret);
    return new Hub() {
      @Override
      public ClaimState check(Claim claim) {
        reach();
        var held = hub.claims.get(key(claim));
        if (held == null) {
          return new ClaimState.Absent();
        }
        return held.uid().equals(cluster.uid)
            ? new ClaimState.Ours(held.phase())
            : new ClaimState.Theirs(held.uid());
      }

      @Override
      public Optional<HubIdentity> identity() {
        reach();
        return Optional.of(new HubIdentity(hub.uid, "https://" + secret, null));
      }

      @Override
      public void make(Claim claim) {
        reach();
        perhapsCrashing(
            () -> hub.claims.putIfAbsent(key(claim), new Held(cluster.uid, Phase.JOINING)));
      }

      @Override
      public void mark(Claim claim, Phase phase) {
        reach();
        perhapsCrashing(
            () ->
                hub.claims.computeIfPresent(
                    key(claim),
                    (k, held) ->
                        held.uid().equals(cluster.uid) ? new Held(cluster.uid, phase) : held));
      }

      @Override
      public void release(Claim claim) {
        reach();
        perhapsCrashing(
            () ->
                hub.claims.computeIfPresent(
                    key(claim), (k, held) -> held.uid().equals(cluster.uid) ? null : held));
      }

      private void reach() {
        if (cluster.partitioned) {
          throw new Crash();
        }
      }
    };
  }

  private static Key key(Claim claim) {
    return new Key(claim.clusterSet(), claim.clusterId());
  }

  private void perhapsCrashing(Runnable effect) {
    if (random.nextDouble() < trouble) {
      throw new Crash();
    }
    effect.run();
    if (random.nextDouble() < trouble) {
      throw new Crash();
    }
  }
}
