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
 * What access control needs of the server around it.
 *
 * @param issuers the ways to those that are not reached directly
 * @param legacyUses is told of tokens that live in secrets
 * @param threads where somebody may wait
 */
public record AccessContext(
    Replica replica,
    Clock clock,
    WebhookTransport webhooks,
    ProviderEgress issuers,
    LegacyTokenUses legacyUses,
    PrometheusRegistry metrics,
    Executor threads) {

  /** The cluster as it is now. */
  Supplier<ClusterView> views() {
    return () -> new SnapshotView(replica.current());
  }
}
