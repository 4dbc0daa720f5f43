package dev.muster.fleet.endpoints;

import dev.muster.fleet.endpoints.form.FleetMember;
import dev.muster.store.Entry;
import java.util.List;
import java.util.Map;

/**
 * The servers that belong to the fleet. Only their records in the store decide, so that servers
 * with different reconcilers publish the same endpoints, and because users can write ConfigMaps but
 * not these records.
 *
 * @param members living servers, all with a port, and published ones that may be alive
 * @param stale records that the store should have dropped
 * @param expired entries of the ConfigMap that were not renewed
 * @param unknown entries of the ConfigMap that never had a record in the store
 * @param malformed records and entries that cannot be parsed, with the problem
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

  /** The members that stay when a server leaves. */
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

  /** Whether both contain the same members, and the same stale, expired and unknown records. */
  boolean isLike(Membership other) {
    return members.equals(other.members)
        && stale.equals(other.stale)
        && expired.equals(other.expired)
        && unknown.equals(other.unknown);
  }
}
