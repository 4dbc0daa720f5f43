package dev.muster.server;

import dev.muster.replica.Replica;
import dev.muster.server.health.HealthCheck;
import dev.muster.server.health.HealthChecks;
import java.util.concurrent.atomic.AtomicBoolean;

/** The checks of a server in the order in which they are shown, and the hooks that it completes. */
record StartHooks(
    Runnable namespaces, Runnable roles, Runnable priorities, Runnable flows, Runnable ranges) {

  StartHooks(HealthChecks health, Replica replica, AtomicBoolean stopping) {
    this(
        base(health, replica),
        hook(health, "rbac/bootstrap-roles"),
        hook(health, "scheduling/bootstrap-system-priority-classes"),
        hook(health, "priority-and-fairness-config-producer"),
        last(health, stopping));
  }

  private static Runnable base(HealthChecks health, Replica replica) {
    health.add(HealthCheck.always("ping", () -> true));
    health.add(HealthCheck.always("log", () -> true));
    health.add(HealthCheck.always("etcd", replica::ready));
    health.add(HealthCheck.forReadiness("etcd-readiness", replica::ready));
    health.add(HealthCheck.forReadiness("informer-sync", replica::ready));
    return hook(health, "start-system-namespaces-controller");
  }

  private static Runnable last(HealthChecks health, AtomicBoolean stopping) {
    var ranges = hook(health, "start-kubernetes-service-cidr-controller");
    health.addLast("shutdown", () -> !stopping.get());
    return ranges;
  }

  private static Runnable hook(HealthChecks health, String name) {
    return health.addHook(name);
  }
}
