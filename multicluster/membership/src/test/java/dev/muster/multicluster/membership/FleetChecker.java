package dev.muster.multicluster.membership;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Says which promise about ClusterSets a fleet breaks. Remembers members' IDs between looks. */
final class FleetChecker {
  private record Membership(String clusterSet, Optional<String> id) {}

  private final Map<String, Membership> before = new HashMap<>();

  /** What must hold at every moment. */
  List<String> broken(SimulatedFleet fleet) {
    var broken = new ArrayList<String>();
    var taken = new HashMap<String, String>();
    for (var cluster : fleet.clusters) {
      if (cluster.mirror.isEmpty()) {
        before.remove(cluster.uid);
        continue;
      }
      var hub = cluster.recorded.map(Claim::hubSecret).orElse("no hub");
      var now = new Membership(cluster.mirror.get(), cluster.id);
      var other = taken.put(hub + " " + now, cluster.uid);
      if (other != null) {
        broken.add(cluster.uid + " and " + other + " are both " + now);
      }
      var earlier = before.put(cluster.uid, now);
      if (earlier != null && !earlier.equals(now)) {
        broken.add(cluster.uid + " was " + earlier + " and is " + now + " without a leave");
      }
      if (cluster.id.isEmpty()) {
        broken.add(cluster.uid + " is a member without an ID");
      }
      if (cluster.recorded.isEmpty()) {
        broken.add(cluster.uid + " shows a membership that it has not written down");
      }
    }
    var joined = new HashSet<String>();
    fleet.hubs.forEach(
        (name, hub) ->
            hub.claims.forEach(
                (key, held) -> {
                  if (held.phase() == Phase.JOINED && !joined.add(held.uid())) {
                    broken.add(held.uid() + " is in two sets");
                  }
                }));
    return broken;
  }

  /** What must hold when nothing fails any more and everybody has come to rest. */
  static List<String> unsettled(SimulatedFleet fleet) {
    var wrong = new ArrayList<String>();
    for (var cluster : fleet.clusters) {
      var claims = new ArrayList<String>();
      fleet.hubs.forEach(
          (name, hub) ->
              hub.claims.forEach(
                  (key, held) -> {
                    if (held.uid().equals(cluster.uid)) {
                      claims.add(
                          name
                              + " "
                              + key.clusterSet()
                              + " "
                              + key.clusterId()
                              + " "
                              + held.phase());
                    }
                  }));
      var wanted =
          cluster
              .wanted
              .filter(target -> cluster.mirror.isPresent())
              .map(
                  target ->
                      List.of(
                          target.hubSecret()
                              + " "
                              + target.clusterSet()
                              + " "
                              + cluster.id.orElse("")
                              + " "
                              + Phase.JOINED))
              .orElse(List.of());
      if (!claims.equals(wanted)) {
        wrong.add(cluster.uid + " has " + claims + " in the hubs and should have " + wanted);
      }
      if (cluster.mirror.isPresent()
          && !cluster.mirror.equals(cluster.wanted.map(MembershipState.Target::clusterSet))) {
        wrong.add(cluster.uid + " shows " + cluster.mirror + " and wants " + cluster.wanted);
      }
      if (cluster.mirror.isEmpty() && cluster.wanted.isPresent() && !isTaken(fleet, cluster)) {
        wrong.add(cluster.uid + " could join " + cluster.wanted + " and has not");
      }
    }
    return wrong;
  }

  private static boolean isTaken(SimulatedFleet fleet, SimulatedFleet.Cluster cluster) {
    var target = cluster.wanted.orElseThrow();
    var held =
        fleet
            .hubNamed(target.hubSecret())
            .claims
            .get(new SimulatedFleet.Key(target.clusterSet(), cluster.id.orElse("")));
    return held != null && !held.uid().equals(cluster.uid);
  }
}
