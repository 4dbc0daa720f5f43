package dev.muster.server.start;

import dev.muster.replica.Replica;
import dev.muster.server.health.HealthCheck;
import dev.muster.server.health.HealthChecks;
import dev.muster.server.health.HealthChecks.Question;
import dev.muster.store.Store;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/**
 * Registers the health checks of a server in the order in which they are shown, and the start hooks
 * that it completes while it starts.
 */
public final class StartHooks {
  private final Runnable namespaces;
  private final Runnable roles;
  private final Runnable priorities;
  private final Runnable flows;
  private final Runnable ranges;

  public StartHooks(HealthChecks health, Replica replica, Store store, AtomicBoolean stopping) {
    health.add(HealthCheck.always("ping", () -> true));
    health.add(HealthCheck.always("log", () -> true));
    Supplier<String> why = () -> replica.health().trouble();
    var ready = Set.of(Question.READYZ);
    health.add(HealthCheck.ofStore("etcd", Set.of(Question.values()), replica::ready, why));
    health.add(HealthCheck.ofStore("etcd-readiness", ready, replica::ready, why));
    health.add(HealthCheck.ofStore("informer-sync", ready, replica::ready, why));
    health.add(HealthCheck.ofTrouble("storage-writes", store::degradedReason));
    this.namespaces = health.addHook("start-system-namespaces-controller");
    this.roles = health.addHook("rbac/bootstrap-roles");
    this.priorities = health.addHook("scheduling/bootstrap-system-priority-classes");
    this.flows = health.addHook("priority-and-fairness-config-producer");
    this.ranges = health.addHook("start-kubernetes-service-cidr-controller");
    health.addLast("shutdown", () -> !stopping.get());
  }

  Runnable namespaces() {
    return namespaces;
  }

  /** One bootstrap step creates roles, priority classes and flow control together. */
  Runnable defaults() {
    return () -> {
      roles.run();
      priorities.run();
      flows.run();
    };
  }

  Runnable ranges() {
    return ranges;
  }
}
