package dev.muster.fleet.endpoints;

import dev.muster.fleet.endpoints.form.AddressFamily;
import dev.muster.fleet.endpoints.form.DesiredEndpoints;
import dev.muster.fleet.endpoints.form.DesiredService;
import dev.muster.fleet.endpoints.form.Endpoint;
import dev.muster.fleet.endpoints.form.FleetMember;
import dev.muster.fleet.endpoints.form.PlannedWrite;
import dev.muster.fleet.endpoints.form.PublishedServers;
import dev.muster.model.address.Cidr;
import dev.muster.model.gocompat.GoDuration;
import dev.muster.model.json.JsonObject;
import dev.muster.model.status.ApiException;
import dev.muster.model.status.Reason;
import dev.muster.store.Entry;
import dev.muster.store.Operation;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Renews the endpoint record of one server, and makes the {@code kubernetes} Service and its
 * endpoints follow the fleet. One thread at a time uses it. It has no clock and no threads: the
 * caller passes the time.
 */
final class Reconciler {
  private static final Duration RETRY = Duration.ofSeconds(1);
  private static final int CONTENDED = 5;

  private final OwnRecord self;
  private final EndpointOptions options;
  private final List<Cidr> ranges;
  private final EndpointsCluster cluster;
  private final Journal journal;
  private final PlanWriter writes;
  private final Liveness liveness;
  private Membership membership = Membership.NONE;
  private @Nullable Duration renewed;
  private @Nullable Duration entered;
  private long renewals;
  private long masterRevision;
  private boolean shared;
  private String lastEntry = "";
  private String knownView = "";
  private Membership knownMembership = Membership.NONE;
  private Duration retryAt = Duration.ZERO;
  private Duration contendedUntil = Duration.ZERO;
  private int busyPasses;

  Reconciler(
      OwnRecord self,
      EndpointOptions options,
      List<Cidr> ranges,
      EndpointsCluster cluster,
      Journal journal) {
    this.self = self;
    this.options = options;
    this.ranges = List.copyOf(ranges);
    this.cluster = cluster;
    this.journal = journal;
    this.writes = new PlanWriter(cluster, journal);
    this.liveness = new Liveness(self);
  }

  /**
   * Runs a pass when this server's record must be renewed or the view has changed. The caller calls
   * it several times a second. After a failure it waits for a moment. If its writes are undone
   * repeatedly, it only renews for a while.
   *
   * @param uptime by a monotonic clock
   * @param upToDate the last moment, by the same clock, at which the view was known to be up to
   *     date
   * @return whether there was something to do, and it was done
   */
  boolean tick(Instant now, Duration uptime, Duration upToDate) {
    var view = cluster.view();
    membership = liveness.check(view, upToDate);
    boolean contended = uptime.compareTo(contendedUntil) < 0;
    boolean changed = !contended && isNew(view);
    if (uptime.compareTo(retryAt) < 0 || !(changed || isRenewalDue(uptime))) {
      return false;
    }
    try {
      if (pass(view, now, uptime, contended)) {
        busyPasses = 0;
      } else if (++busyPasses >= CONTENDED) {
        busyPasses = 0;
        contendedUntil = uptime.plus(options.interval());
        journal.remark(
            "EndpointsContended",
            "changes are being undone by somebody; the next try is in "
                + GoDuration.format(options.interval()),
            true);
      }
      return true;
    } catch (RuntimeException | Error e) {
      retryAt = uptime.plus(RETRY);
      throw e;
    }
  }

  /** The endpoints in the Endpoints object and in slices. */
  Set<Endpoint> published() {
    return cluster.view().published();
  }

  /** The members at the last check. */
  List<FleetMember> members() {
    return membership.members();
  }

  private boolean isNew(EndpointsView view) {
    return !view.fingerprint().equals(knownView) || !membership.isLike(knownMembership);
  }

  /**
   * Renews records that are due, and repairs the published objects.
   *
   * @param contended whether it only renews
   * @return whether everything was right, as far as this server knows
   */
  private boolean pass(EndpointsView seen, Instant now, Duration uptime, boolean contended) {
    var view = seen;
    if (!liveness.degradedReason().isEmpty()) {
      journal.remark(
          "InvalidExpiration",
          liveness.degradedReason()
              + "; "
              + GoDuration.format(liveness.expiration().configured())
              + " stays in force",
          true);
    }
    if (isDue(view, uptime)) {
      view = renew(view, now, uptime);
      membership = liveness.check(view);
      journal.renewed();
    }
    if (contended) {
      return true;
    }
    knownView = view.fingerprint();
    knownMembership = membership;
    if (options.reconciler() == ReconcilerType.NONE) {
      renewed = uptime;
      var all = new ArrayList<>(membership.members());
      all.add(self.member(FleetMember.Source.LEASE));
      return writes.execute(
          PublicationPlan.ofService(view.objects(), published(view, all), form(view)));
    }
    report();
    collect(view);
    if (!isListed()) {
      journal.remark(
          "OwnRecordMissing",
          "this server's own record is not among those in the store: endpoints are left alone",
          true);
      return false;
    }
    var wanted = published(view, membership.members());
    journal.published(wanted, membership);
    return writes.execute(plan(view, wanted, false));
  }

  /**
   * Removes this server's record and publishes the rest. The last server leaves nothing published.
   */
  void leave() {
    if (renewed == null || options.reconciler() == ReconcilerType.NONE) {
      return;
    }
    for (int i = 0; i < CONTENDED; i++) {
      try {
        var view = withdrawn(check());
        membership = liveness.check(view);
        if (writes.execute(plan(view, published(view, membership.without(self)), true))) {
          return;
        }
      } catch (ApiException e) {
        if (!PlanWriter.isOvertaken(e)) {
          throw e;
        }
      }
    }
  }

  private EndpointsView check() {
    var view = cluster.view();
    membership = liveness.check(view);
    return view;
  }

  /** Removes the records that say that this server is alive. */
  private EndpointsView withdrawn(EndpointsView view) {
    if (options.reconciler() == ReconcilerType.CONFIGMAP) {
      for (int i = 0; i < CONTENDED && withdraw(cluster.view()); i++) {
        // other servers renew their entries in the same object, so it tries again
      }
    }
    var ordered = ordered(view);
    return cluster.commit(
        LeaseRecords.removal(
            ordered,
            membership.without(self),
            view.lease(LeaseRecords.masterKey(ordered)),
            shared));
  }

  private List<PlannedWrite> plan(EndpointsView view, PublishedServers wanted, boolean leaving) {
    if (options.reconciler() != ReconcilerType.MASTER_COUNT) {
      return PublicationPlan.of(view.objects(), wanted, form(view), leaving);
    }
    var endpoints = view.objects().endpoints();
    var own = ordered(view).addresses().getFirst();
    var subsets =
        leaving
            ? MasterCount.without(endpoints, own)
            : MasterCount.subsets(endpoints, own, self.port(), options.serverCount());
    var counted = MasterCount.published(subsets, wanted.family(), self.port());
    return PublicationPlan.of(
        view.objects(),
        new PublishedServers(
            wanted.family(),
            counted.primary(),
            wanted.secondary(),
            wanted.dualStack(),
            counted.port(),
            false),
        form(view),
        leaving);
  }

  private boolean isDue(EndpointsView view, Duration uptime) {
    if (options.reconciler() == ReconcilerType.NONE) {
      return false;
    }
    return isRenewalDue(uptime) || !view.versions().keySet().containsAll(ownKeys(view));
  }

  private boolean isRenewalDue(Duration uptime) {
    return isPast(renewed, options.interval(), uptime) || isEntryDue(uptime);
  }

  private boolean isEntryDue(Duration uptime) {
    return hasEntries() && isPast(entered, liveness.expiration().interval(), uptime);
  }

  private static boolean isPast(@Nullable Duration last, Duration interval, Duration uptime) {
    return last == null || uptime.minus(last).compareTo(interval) >= 0;
  }

  /** Whether this server has an entry in the ConfigMap beside its record in the store. */
  private boolean hasEntries() {
    return options.reconciler() == ReconcilerType.CONFIGMAP;
  }

  private List<String> ownKeys(EndpointsView view) {
    var keys = new ArrayList<>(LeaseRecords.keys(ordered(view), membership.members()));
    if (hasEntries()) {
      keys.addAll(ConfigMapRecords.keys(self));
    }
    return keys;
  }

  private boolean isListed() {
    return membership.has(self.id())
        && (!hasEntries() || membership.entries().containsAll(ConfigMapRecords.keys(self)));
  }

  /** Writes the record first: servers ignore an entry without one. */
  private EndpointsView renew(EndpointsView view, Instant now, Duration uptime) {
    renewals++;
    var after = renewRecord(view);
    renewed = uptime;
    if (!hasEntries()
        || (!isEntryDue(uptime)
            && view.versions().keySet().containsAll(ConfigMapRecords.keys(self)))) {
      return after;
    }
    membership = liveness.check(after);
    enter(after, now);
    entered = uptime;
    return cluster.view();
  }

  private EndpointsView renewRecord(EndpointsView view) {
    var ordered = ordered(view);
    List<Operation> operations =
        LeaseRecords.renewal(
            ordered,
            view,
            membership.members(),
            view.lease(LeaseRecords.masterKey(ordered)),
            masterRevision,
            renewals);
    shared =
        masterRevision != 0
            && LeaseRecords.isOthers(view.lease(LeaseRecords.masterKey(ordered)), masterRevision);
    var predecessors = LeaseRecords.predecessors(ordered, view);
    var after = cluster.commit(operations);
    predecessors.forEach(this::forget);
    var master = after.lease(LeaseRecords.masterKey(ordered));
    masterRevision = master == null ? 0 : master.modRevision();
    return after;
  }

  private void enter(EndpointsView view, Instant now) {
    if (view.config() == null) {
      ifAbsent(
          ConfigMapRecords.configMap(
              ConfigMapRecords.CONFIG_NAMESPACE,
              ConfigMapRecords.CONFIG_NAME,
              JsonObject.of(ConfigMapRecords.EXPIRATION, "1m")));
    }
    var patch = ConfigMapRecords.renewal(self, membership.entries(), now);
    lastEntry = now.toString();
    if (view.configMap() == null) {
      ifAbsent(
          ConfigMapRecords.configMap(
              DesiredEndpoints.NAMESPACE, ConfigMapRecords.NAME, patch.object("data")));
    }
    cluster.patchConfigMap(patch);
  }

  /**
   * Forgets the server that held this server's sockets before: it is gone, and no wait is needed.
   */
  private void forget(Entry predecessor) {
    try {
      var member = LeaseRecords.read(predecessor).member();
      if (member != null) {
        liveness.forget(member.endpoints());
      }
    } catch (RuntimeException e) {
      // malformed, and reported as such
    }
  }

  private void ifAbsent(JsonObject configMap) {
    try {
      cluster.createConfigMap(configMap);
    } catch (ApiException e) {
      if (e.reason() != Reason.ALREADY_EXISTS) {
        throw e;
      }
    }
  }

  /**
   * Removes this server's entries unless they were renewed since; returns whether there were any.
   */
  private boolean withdraw(EndpointsView view) {
    var configMap = view.configMap();
    if (configMap == null) {
      return false;
    }
    var data = configMap.object("data");
    var own =
        ConfigMapRecords.keys(self).stream()
            .filter(key -> data.string(key).equals(lastEntry))
            .toList();
    if (!own.isEmpty()) {
      PlanWriter.tried(() -> cluster.patchConfigMap(ConfigMapRecords.removal(configMap, own)));
    }
    return !own.isEmpty();
  }

  /** Removes expired records that no server renews or removes. */
  private void collect(EndpointsView view) {
    for (var entry : membership.stale()) {
      journal.remark(
          "StaleRecordRemoved",
          entry.key()
              + " has not been renewed for "
              + GoDuration.format(
                  liveness.unchangedFor(entry.key()).truncatedTo(ChronoUnit.SECONDS)),
          true);
      PlanWriter.tried(
          () -> cluster.commit(List.of(new Operation.Delete(entry.key(), entry.modRevision()))));
    }
    var configMap = view.configMap();
    if (configMap != null && !membership.expired().isEmpty()) {
      journal.remark(
          "ServerExpired",
          String.join(", ", membership.expired())
              + " not renewed within "
              + GoDuration.format(liveness.expiration().limit()),
          false);
      PlanWriter.tried(
          () -> cluster.patchConfigMap(ConfigMapRecords.removal(configMap, membership.expired())));
    }
  }

  private void report() {
    membership
        .malformed()
        .forEach(
            (key, problem) ->
                journal.remark("MalformedRecord", "ignored: " + key + ": " + problem, true));
    if (!membership.unknown().isEmpty()) {
      journal.remark(
          "UnknownEntry",
          "ignored: "
              + String.join(", ", membership.unknown())
              + ": no server has a record for it in the store",
          true);
    }
  }

  private DesiredService form(EndpointsView view) {
    return new DesiredService(ranges, view.ranges());
  }

  private PublishedServers published(EndpointsView view, List<FleetMember> members) {
    return PublishedServers.of(members, form(view).primary(view.objects().service()), self.port());
  }

  /** This server with its address of the primary family first. */
  private OwnRecord ordered(EndpointsView view) {
    var primary = form(view).primary(view.objects().service());
    var addresses = new ArrayList<>(self.addresses());
    addresses.sort(
        (one, other) ->
            Boolean.compare(AddressFamily.of(one) != primary, AddressFamily.of(other) != primary));
    return new OwnRecord(self.id(), self.place(), addresses, self.port(), self.duration());
  }
}
