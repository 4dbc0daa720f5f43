package dev.muster.server;

import dev.muster.replica.Replica;
import dev.muster.server.audit.AuditLog;
import dev.muster.server.discovery.DiscoveryDocuments;
import dev.muster.server.discovery.DiscoveryRoutes;
import dev.muster.server.health.HealthChecks;
import dev.muster.server.options.Advertised;
import dev.muster.server.options.ApiServerOptions;
import dev.muster.server.peers.PeerRoutes;
import dev.muster.server.start.RegistryObjects;
import dev.muster.server.start.ServingCertificate;
import dev.muster.store.Store;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.time.Clock;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.IntSupplier;

/**
 * The parts of a server that its extensions may use.
 *
 * @param port on which the server listens, known when it has started
 * @param objects reads from the replica, and writes as the server's own user
 * @param documents the discovery documents of built-in APIs that this server serves
 * @param background for short tasks; one thread, shared by all
 * @param threads virtual threads, for work that blocks
 */
public record ServerHost(
    ApiServerOptions options,
    Advertised advertised,
    IntSupplier port,
    RegistryObjects objects,
    Replica replica,
    Store store,
    DiscoveryDocuments documents,
    DiscoveryRoutes discovery,
    PeerRoutes peers,
    ServingCertificate certificate,
    HealthChecks health,
    PrometheusRegistry metrics,
    AuditLog audit,
    ScheduledExecutorService background,
    ExecutorService threads,
    Clock clock) {}
