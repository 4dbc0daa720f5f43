package dev.muster.server.start;

import dev.muster.registry.webhook.WebhookTransport;
import dev.muster.replica.Replica;
import dev.muster.server.authentication.ProviderEgress;
import dev.muster.types.ClusterView;
import dev.muster.types.SnapshotView;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.time.Clock;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

/**
 * The parts of the server that authentication and authorization use.
 *
 * @param issuers the connections to token issuers that are reached through an egress proxy
 * @param legacyUses records the use of tokens that are stored in Secrets
 * @param threads threads that may block
 */
public record AccessContext(
    Replica replica,
    Clock clock,
    WebhookTransport webhooks,
    ProviderEgress issuers,
    LegacyTokenUses legacyUses,
    PrometheusRegistry metrics,
    Executor threads) {

  /** The newest snapshot of the cluster. */
  Supplier<ClusterView> views() {
    return () -> new SnapshotView(replica.current());
  }
}
