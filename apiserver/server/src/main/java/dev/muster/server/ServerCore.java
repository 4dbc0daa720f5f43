package dev.muster.server;

import dev.muster.registry.webhook.WebhookTransport;
import dev.muster.server.audit.AuditLog;
import dev.muster.server.health.HealthChecks;
import dev.muster.server.options.ApiServerOptions;
import dev.muster.server.routes.Neighbours;
import dev.muster.types.scheduling.FairScheduler;
import dev.muster.wire.SupportedMediaTypes;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.time.Clock;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The parts that all components of a server share: options, clock, threads, health, metrics and
 * audit log.
 *
 * @param threads virtual threads, for work that blocks
 * @param scheduler for long computations
 * @param background one thread, for short periodic work
 * @param stopping true once the server begins to stop
 * @param neighbours the other components in this process
 */
record ServerCore(
    ApiServerOptions options,
    Clock clock,
    HealthChecks health,
    PrometheusRegistry metrics,
    AuditLog audit,
    ExecutorService threads,
    FairScheduler scheduler,
    ScheduledExecutorService background,
    AtomicBoolean stopping,
    Neighbours neighbours) {
  private static final Logger LOG = LoggerFactory.getLogger(ApiServer.class);

  /**
   * @param webhooks delivers audit events to audit webhooks
   */
  static ServerCore of(ApiServerOptions options, Clock clock, WebhookTransport webhooks) {
    var metrics = new PrometheusRegistry();
    var stopping = new AtomicBoolean();
    var threads =
        Executors.newThreadPerTaskExecutor(
            Thread.ofVirtual()
                .uncaughtExceptionHandler((_, failure) -> failed(failure, stopping))
                .factory());
    return new ServerCore(
        options,
        clock,
        new HealthChecks(),
        metrics,
        AuditLog.of(options.audit(), metrics, clock, threads, webhooks),
        threads,
        new FairScheduler(),
        Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("background").factory()),
        stopping,
        new Neighbours());
  }

  /** Logs the failure of a task; while the server stops, failures are expected. */
  private static void failed(Throwable failure, AtomicBoolean stopping) {
    if (stopping.get()) {
      LOG.debug("a task ended with the server", failure);
    } else {
      LOG.error("a task of the server failed and is not tried again", failure);
    }
  }

  /** The media types of request and response bodies. */
  SupportedMediaTypes offer() {
    return options.api().enabled("CBORServingAndStorage", false)
        ? SupportedMediaTypes.WITH_CBOR
        : SupportedMediaTypes.STANDARD;
  }

  /** Runs the work periodically; the first run follows after the first period. */
  void every(long seconds, Runnable work) {
    var _ = background.scheduleWithFixedDelay(work, seconds, seconds, TimeUnit.SECONDS);
  }
}
