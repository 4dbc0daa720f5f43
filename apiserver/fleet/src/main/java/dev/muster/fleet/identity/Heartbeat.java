package dev.muster.fleet.identity;

import dev.muster.model.GroupVersionResource;
import dev.muster.model.json.JsonObject;
import dev.muster.model.status.ApiException;
import dev.muster.model.status.Reason;
import dev.muster.server.start.RegistryObjects;
import java.time.Duration;
import java.time.InstantSource;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Maintains this server's identity Lease: creates and renews it, repairs edited fields, and creates
 * it again after a deletion. It never changes other servers' Leases. One thread at a time uses it.
 *
 * <p>A failed heartbeat is retried soon, and then with growing pauses up to the usual interval.
 */
final class Heartbeat {
  private static final Logger log = LoggerFactory.getLogger(Heartbeat.class);
  private static final GroupVersionResource NAMESPACES =
      new GroupVersionResource("", "v1", "namespaces");
  private static final Duration FIRST_RETRY = Duration.ofMillis(200);
  private static final int NAME_TRIES = 20;

  private final RegistryObjects objects;
  private final ServerIdentity identity;
  private final IdentityOptions options;
  private final InstantSource clock;
  private final IdentityMetrics metrics;
  private final Supplier<OwnLease.Presence> presence;
  private final Consumer<ServerId> beforeLease;
  private volatile @Nullable String leaseUid;

  /** The ID whose Lease may have been created in a write with an ambiguous outcome. */
  private @Nullable ServerId uncertain;

  private int failures;

  /**
   * @param presence the content of the Lease besides the ID
   * @param beforeLease receives the ID before its Lease announces it to the fleet
   */
  Heartbeat(
      RegistryObjects objects,
      ServerIdentity identity,
      IdentityOptions options,
      InstantSource clock,
      IdentityMetrics metrics,
      Supplier<OwnLease.Presence> presence,
      Consumer<ServerId> beforeLease) {
    this.objects = objects;
    this.identity = identity;
    this.options = options;
    this.clock = clock;
    this.metrics = metrics;
    this.presence = presence;
    this.beforeLease = beforeLease;
  }

  /** Renews once. Blocks. Returns the pause before the next heartbeat. */
  Duration beat() {
    long began = System.nanoTime();
    try {
      if (leaseUid == null || !renew()) {
        acquire();
      }
      metrics.succeeded(since(began), clock.instant());
      if (failures > 0) {
        log.info("the identity lease is renewed again, after {} failures", failures);
      }
      failures = 0;
      return options.renewInterval();
    } catch (RuntimeException | Error e) {
      metrics.failed(since(began));
      if (failures++ == 0) {
        log.warn("the identity lease cannot be renewed: {}", e.toString());
      }
      return retryPause();
    }
  }

  boolean hasLease() {
    return leaseUid != null;
  }

  /** Deletes the Lease, so that no peer counts on this server any more. */
  void withdraw() {
    var uid = leaseUid;
    if (uid == null) {
      return;
    }
    try {
      objects.delete(OwnLease.RESOURCE, options.namespace(), identity.id().leaseName(), uid);
    } catch (ApiException e) {
      if (e.reason() != Reason.CONFLICT && e.reason() != Reason.NOT_FOUND) {
        throw e;
      }
      log.debug("the identity lease is gone, or another's");
    }
  }

  private Duration retryPause() {
    var pause = FIRST_RETRY.multipliedBy(1L << Math.min(failures - 1, 20));
    return pause.compareTo(options.renewInterval()) < 0 ? pause : options.renewInterval();
  }

  private static Duration since(long began) {
    return Duration.ofNanos(System.nanoTime() - began);
  }

  /** False when the Lease is gone or belongs to another server. */
  private boolean renew() {
    var id = identity.id();
    var found = new boolean[1];
    objects.change(
        OwnLease.RESOURCE,
        options.namespace(),
        id.leaseName(),
        lease -> {
          found[0] = lease != null && isOurs(lease);
          return lease != null && found[0]
              ? OwnLease.renewed(lease, id, options, presence.get(), clock.instant())
              : null;
        });
    return found[0];
  }

  private boolean isOurs(JsonObject lease) {
    return lease.object("metadata").string("uid").equals(leaseUid);
  }

  /**
   * Creates the Lease, with another ID if its name is taken. The registry retries conflicting
   * writes of one object; each try here writes another object.
   */
  private void acquire() {
    boolean lost = leaseUid != null;
    leaseUid = null;
    makeNamespace();
    for (int i = 0; ; i++) {
      var id = identity.id();
      beforeLease.accept(id);
      try {
        var now = clock.instant();
        var lease = OwnLease.first(id, options, now);
        objects.create(
            OwnLease.RESOURCE, OwnLease.renewed(lease, id, options, presence.get(), now));
      } catch (ApiException e) {
        if (e.reason() != Reason.ALREADY_EXISTS) {
          uncertain = id;
          throw e;
        }
        if (!id.equals(uncertain)) {
          if (i == NAME_TRIES) {
            throw e;
          }
          log.info("the lease {} belongs to another server, taking another ID", id.leaseName());
          identity.change();
          continue;
        }
      }
      var stored = objects.readLatest(OwnLease.RESOURCE, options.namespace(), id.leaseName());
      if (stored == null || !stored.object("spec").string("holderIdentity").equals(id.toString())) {
        throw new IllegalStateException("the lease is gone again");
      }
      uncertain = null;
      leaseUid = stored.object("metadata").string("uid");
      log.info("{} as {}", lost ? "the identity lease was deleted and is back" : "joined", id);
      return;
    }
  }

  private void makeNamespace() {
    if (objects.read(NAMESPACES, "", options.namespace()) != null) {
      return;
    }
    try {
      objects.create(
          NAMESPACES,
          JsonObject.of(
              "apiVersion",
              "v1",
              "kind",
              "Namespace",
              "metadata",
              JsonObject.of("name", options.namespace())));
    } catch (ApiException e) {
      if (e.reason() != Reason.ALREADY_EXISTS) {
        throw e;
      }
    }
  }
}
