package dev.muster.fleet.endpoints;

import dev.muster.fleet.endpoints.form.FleetMember;
import dev.muster.store.Entry;
import java.util.List;
import java.util.Map;

/**
 * Which servers belong to the fleet, by their records in the store: servers with different
 * reconcilers publish the same. Users can write ConfigMaps and not these records.
 *
 * @param members those that live, all with a port, and those that are published and may live
 * @param stale records that the store should have dropped and has not
 * @param expired entries of the ConfigMap whose server has not renewed them
 * @param unknown entries of the ConfigMap that never had a record beside them
 * @param malformed what could not be read, with what is wrong with it
 */
record Membership(
    List<FleetMember> members,
    List<Entry> stale,
    List<String> expired,
    List<String> unknown,
    Map<String, String> malformed) {

  static final Membership NONE =
      new Membership(List.of(), List.of(), List.of(), List.of(), Map.of());

  Membership {
    members = List.copyOf(members);
    stale = List.copyOf(stale);
    expired = List.copyOf(expired);
    unknown = List.copyOf(unknown);
    malformed = Map.copyOf(malformed);
  }

  boolean has(String id) {
    return members.stream().anyMatch(member -> member.id().equals(id));
  }

  /** The members that stay when a server goes. */
  List<FleetMember> without(OwnRecord self) {
    var own = self.endpoints();
    return members.stream()
        .filter(member -> !member.id().equals(self.id()))
        .filter(
            member ->
                member.source() != FleetMember.Source.PUBLISHED
                    || member.endpoints().stream().noneMatch(own::contains))
        .toList();
  }

  /** The keys of living entries in the ConfigMap. */
  List<String> entries() {
    return members.stream()
        .filter(member -> member.source() == FleetMember.Source.CONFIGMAP)
        .map(FleetMember::id)
        .toList();
  }

  long count(FleetMember.Source source) {
    return members.stream().filter(member -> member.source() == source).count();
  }

  /** Whether nobody came, went or was found dead between the two. */
  boolean isLike(Membership other) {
    return members.equals(other.members)
        && stale.equals(other.stale)
        && expired.equals(other.expired)
        && unknown.equals(other.unknown);
  }
}
