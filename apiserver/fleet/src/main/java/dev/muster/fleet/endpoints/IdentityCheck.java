package dev.muster.fleet.endpoints;

import dev.muster.fleet.endpoints.form.Endpoint;
import dev.muster.fleet.endpoints.form.FleetMember;
import dev.muster.model.identity.IdentityLease;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Compares the published endpoints with the identity Leases. An endpoint without an API server that
 * has a Lease was written by hand, or its server does not renew a Lease. One thread uses it.
 */
final class IdentityCheck {
  /** A server creates its Lease before it publishes itself, and deletes it before it withdraws. */
  private static final Duration LASTS = Duration.ofSeconds(30);

  private Map<Endpoint, Duration> since = Map.of();

  /**
   * The endpoints without a Lease. The Lease of a kube-apiserver does not state its address: as
   * many endpoints with a kube-apiserver's record are accepted as there are such Leases. Without
   * any Lease the result is empty.
   *
   * @param own Leases in the namespace of identity Leases
   * @param upstream Leases in the namespace of kube-apiserver's Leases
   */
  static List<Endpoint> withoutLease(
      Set<Endpoint> published,
      Collection<FleetMember> members,
      Collection<IdentityLease> own,
      Collection<IdentityLease> upstream) {
    if (own.isEmpty() && upstream.isEmpty()) {
      return List.of();
    }
    var ids = new HashSet<String>();
    var named = new HashSet<String>();
    for (var lease : own) {
      ids.add(lease.id());
      named.addAll(lease.addresses());
    }
    var known = new HashSet<Endpoint>();
    var kubeApiservers = new HashSet<Endpoint>();
    for (var member : members) {
      if (member.source() == FleetMember.Source.MASTER_LEASE) {
        kubeApiservers.addAll(member.endpoints());
      } else if (member.source() == FleetMember.Source.LEASE && ids.contains(member.id())) {
        known.addAll(member.endpoints());
      }
    }
    var without = new ArrayList<Endpoint>();
    var ofKubeApiservers = new ArrayList<Endpoint>();
    for (var endpoint : published) {
      if (!named.contains(endpoint.toString()) && !known.contains(endpoint)) {
        (kubeApiservers.contains(endpoint) ? ofKubeApiservers : without).add(endpoint);
      }
    }
    var placeless = new HashSet<String>();
    for (var leases : List.of(own, upstream)) {
      leases.stream()
          .filter(lease -> lease.addresses().isEmpty())
          .forEach(lease -> placeless.add(lease.id()));
    }
    if (ofKubeApiservers.size() > placeless.size()) {
      without.addAll(ofKubeApiservers);
    }
    return List.copyOf(without);
  }

  /**
   * The endpoints that have lacked a Lease for a while.
   *
   * @param uptime by a monotonic clock
   */
  List<Endpoint> lasting(List<Endpoint> without, Duration uptime) {
    var next = new HashMap<Endpoint, Duration>();
    without.forEach(endpoint -> next.put(endpoint, since.getOrDefault(endpoint, uptime)));
    since = next;
    return without.stream()
        .filter(endpoint -> uptime.minus(next.getOrDefault(endpoint, uptime)).compareTo(LASTS) >= 0)
        .toList();
  }
}
