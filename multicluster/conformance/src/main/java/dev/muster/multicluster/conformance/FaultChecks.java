package dev.muster.multicluster.conformance;

import static dev.muster.multicluster.conformance.FleetRequirement.*;

import dev.muster.multicluster.conformance.Faults.Kind;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Checks how a fleet reacts when one of its servers hangs, has a wrong clock or dies, in this
 * order. Each fault ends before the next begins, except the last. Not thread-safe. Blocks the
 * caller.
 *
 * @param servers the given servers of one fleet
 */
record FaultChecks(
    SortedMap<String, KubernetesClient> servers,
    Faults faults,
    FleetFindings findings,
    FleetWatch.Pause pause) {
  private static final Duration LOOK = Duration.ofMillis(500);
  private static final long SKEW_SECONDS = Duration.ofHours(3).toSeconds();

  /** The server with the fault and its Lease. */
  private record Victim(String id, String lease, String address) {}

  /** The identity Leases by name, and the published endpoints. */
  private record Look(Map<String, FleetIdentity> leases, PublishedFleet published) {
    boolean publishes(Victim victim) {
      return published.sockets().contains(victim.address());
    }

    boolean has(Victim victim) {
      return leases.containsKey(victim.lease());
    }

    String renewed(Victim victim) {
      var lease = leases.get(victim.lease());
      return lease == null ? "" : lease.renewTime().map(Object::toString).orElse("");
    }
  }

  void run() throws InterruptedException {
    var wanted = Stream.of(FleetRequirement.values()).filter(FleetRequirement::needsFault).toList();
    if (faults.possible().isEmpty()) {
      wanted.forEach(each -> findings.notObserved(each, "no fault was to be caused"));
      return;
    }
    var victim = victim();
    if (victim.isEmpty()) {
      wanted.forEach(
          each ->
              findings.notObserved(
                  each,
                  "there is no living server beside the one that is asked that says in its Lease"
                      + " at which published address it is reached"));
      return;
    }
    // A requirement that several faults show is reported once, by the most conclusive kind.
    boolean pauses = faults.possible().contains(Kind.PAUSE);
    if (pauses) {
      pauses(victim.get());
    }
    if (faults.possible().contains(Kind.SKEW)) {
      skews(victim.get());
    } else {
      findings.notObserved(IDENTITY_SKEWED, "no server's clock was to be set wrong");
    }
    if (faults.possible().contains(Kind.KILL)) {
      kills(victim().orElse(victim.get()), pauses);
    } else if (!pauses) {
      findings.notObserved(ENDPOINTS_REMOVED, "no server was to be killed or paused");
      findings.notObserved(IDENTITY_KEPT, "no server was to be killed or paused");
    }
    if (!pauses) {
      findings.notObserved(ENDPOINTS_RETURNED, "no server was to be paused and resumed");
    }
  }

  private void pauses(Victim victim) throws InterruptedException {
    faults.cause(Kind.PAUSE, victim.id(), victim.address(), 0);
    try {
      fails(victim, "was paused");
    } finally {
      faults.cause(Kind.RESUME, victim.id(), victim.address(), 0);
    }
    var seen = await(look -> look.publishes(victim));
    report(
        ENDPOINTS_RETURNED,
        seen,
        victim.address() + " is published again after " + victim.id() + " went on",
        victim.address() + " was not published again in time after " + victim.id() + " went on");
  }

  private void kills(Victim victim, boolean known) throws InterruptedException {
    faults.cause(Kind.KILL, victim.id(), victim.address(), 0);
    if (known) {
      var removed = await(look -> !look.publishes(victim));
      if (removed.isEmpty()) {
        findings.fail(
            ENDPOINTS_REMOVED, victim.address() + " is still published after its server died");
      }
    } else {
      fails(victim, "was killed");
    }
  }

  private void fails(Victim victim, String how) throws InterruptedException {
    var removed = await(look -> !look.publishes(victim));
    report(
        ENDPOINTS_REMOVED,
        removed,
        victim.address() + " was taken out after " + victim.id() + " " + how,
        victim.address() + " is still published after " + victim.id() + " " + how);
    var lease = removed.flatMap(look -> Optional.ofNullable(look.leases().get(victim.lease())));
    if (lease.isPresent()) {
      findings.pass(IDENTITY_KEPT, lease.get() + " is there after " + victim.id() + " " + how);
    } else if (removed.isPresent()) {
      findings.fail(IDENTITY_KEPT, victim.lease() + " went when " + victim.id() + " " + how);
    } else {
      findings.notObserved(
          IDENTITY_KEPT, "the fleet did not notice that " + victim.id() + " " + how);
    }
  }

  /** The server may be restarted for this fault, with another ID at the same address. */
  private void skews(Victim victim) throws InterruptedException {
    faults.cause(Kind.SKEW, victim.id(), victim.address(), SKEW_SECONDS);
    try {
      var wrong = new ArrayList<String>();
      var skewed = await(look -> at(look, victim.address(), true).isPresent());
      if (skewed.isEmpty()) {
        findings.notObserved(
            IDENTITY_SKEWED, "no Lease of a server at " + victim.address() + " shows another time");
        return;
      }
      var present = at(skewed.get(), victim.address(), true).orElseThrow();
      var again = new Victim(present.id(), present.name(), victim.address());
      var last = skewed.get().renewed(again);
      // Three renewals, the time after which others consider a silent server gone.
      for (int renewals = 0; renewals < 4 && wrong.isEmpty(); renewals++) {
        var before = last;
        var renewed = await(look -> look.has(again) && !look.renewed(again).equals(before));
        if (renewed.isEmpty()) {
          wrong.add(again.lease() + " was deleted or is not renewed");
        } else {
          last = renewed.get().renewed(again);
        }
      }
      if (await(look -> look.publishes(again)).isEmpty()) {
        wrong.add(again.address() + " is not published");
      }
      if (wrong.isEmpty()) {
        findings.pass(
            IDENTITY_SKEWED, again.id() + " is published and its Lease stays, three hours ahead");
      } else {
        findings.fail(IDENTITY_SKEWED, String.join("; ", wrong));
      }
    } finally {
      faults.cause(Kind.SKEW, victim.id(), victim.address(), 0);
    }
    var _ = await(look -> at(look, victim.address(), false).isPresent());
  }

  /** The Lease of a server at that address whose time is far from the others', or near. */
  private static Optional<FleetIdentity> at(Look look, String address, boolean far) {
    var others =
        look.leases().values().stream()
            .filter(lease -> !lease.addresses().contains(address))
            .flatMap(lease -> lease.renewTime().stream())
            .max(Comparator.naturalOrder());
    return look.leases().values().stream()
        .filter(lease -> lease.addresses().contains(address) && lease.renewTime().isPresent())
        .filter(
            lease ->
                others.isPresent()
                    && Duration.between(others.get(), lease.renewTime().get())
                                .compareTo(Duration.ofHours(1))
                            > 0
                        == far)
        .max(Comparator.comparing(lease -> lease.renewTime().orElseThrow()));
  }

  private void report(
      FleetRequirement requirement, Optional<Look> seen, String observed, String otherwise) {
    if (seen.isPresent()) {
      findings.pass(requirement, observed);
    } else {
      findings.fail(requirement, otherwise + " (" + faults.patience().toSeconds() + " s)");
    }
  }

  /** Waits for a condition; empty after a timeout. */
  private Optional<Look> await(Predicate<Look> wanted) throws InterruptedException {
    var began = System.nanoTime();
    do {
      var look = check();
      if (look.filter(wanted).isPresent()) {
        return look;
      }
      pause.rest(LOOK);
    } while (System.nanoTime() - began < faults.patience().toNanos());
    return Optional.empty();
  }

  /**
   * The state as the first answering server reports it; one of the given servers may have the
   * fault.
   */
  private Optional<Look> check() {
    for (var client : servers.values()) {
      try {
        var leases = new HashMap<String, FleetIdentity>();
        for (var lease : FleetWatch.leases(client)) {
          leases.put(lease.getMetadata().getName(), FleetIdentity.of(lease, Optional.of(lease)));
        }
        return Optional.of(new Look(leases, FleetWatch.published(client)));
      } catch (KubernetesClientException e) {
        if (e.getCode() > 0) {
          throw e;
        }
      }
    }
    return Optional.empty();
  }

  /**
   * A server that renews its Lease and is published. Another given server must remain to be asked.
   */
  private Optional<Victim> victim() throws InterruptedException {
    var first = check();
    if (first.isEmpty()) {
      return Optional.empty();
    }
    var before = first.get();
    var found =
        await(
            look ->
                !candidates(before, look).isEmpty()
                    && candidates(before, look).size() == publishing(look));
    var looked = found.or(this::check);
    var asked = asked();
    if (asked.isEmpty() && servers.size() < 2) {
      return Optional.empty();
    }
    return looked.stream()
        .flatMap(look -> candidates(before, look).stream())
        .filter(each -> !each.id().equals(asked))
        .max(Comparator.comparing(Victim::id));
  }

  private static List<Victim> candidates(Look before, Look now) {
    var found = new ArrayList<Victim>();
    now.leases()
        .forEach(
            (name, lease) -> {
              var old = before.leases().get(name);
              if (lease.labelled() && (old == null || !old.renewTime().equals(lease.renewTime()))) {
                lease.addresses().stream()
                    .filter(each -> now.published().sockets().contains(each))
                    .findFirst()
                    .ifPresent(address -> found.add(new Victim(lease.id(), name, address)));
              }
            });
    return found;
  }

  private static long publishing(Look look) {
    return look.leases().values().stream()
        .filter(
            lease ->
                lease.addresses().stream()
                    .anyMatch(each -> look.published().sockets().contains(each)))
        .count();
  }

  /** The ID of the first given server; "" when it is unknown. */
  private String asked() {
    var metrics = FleetWatch.metrics(servers.firstEntry().getValue());
    var found = FleetWatch.IDENTITY.matcher(metrics);
    return found.find() ? found.group(1) : "";
  }
}
