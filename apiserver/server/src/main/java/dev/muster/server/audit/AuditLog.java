package dev.muster.server.audit;

import dev.muster.audit.AuditEvent;
import dev.muster.audit.AuditLevel;
import dev.muster.audit.AuditPolicy;
import dev.muster.audit.AuditPolicyReader;
import dev.muster.audit.AuditedReference;
import dev.muster.audit.AuditedRequest;
import dev.muster.authentication.webhook.RenewedKubeconfig;
import dev.muster.authentication.webhook.WebhookKubeconfig;
import dev.muster.authorization.Attributes;
import dev.muster.http.HttpExchange;
import dev.muster.model.FileProblems;
import dev.muster.registry.webhook.WebhookTransport;
import dev.muster.server.options.AuditOptions;
import dev.muster.server.options.audit.AuditLogOptions;
import dev.muster.server.options.audit.AuditWebhookOptions;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides which requests are audited, and passes their events to the backends. Thread-safe. Never
 * blocks. Without a policy or a backend it does nothing, at no cost.
 */
public final class AuditLog implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(AuditLog.class);

  private final @Nullable AuditPolicy policy;
  private final List<AuditBackend> backends;
  private final AuditMetrics metrics;
  private final Clock clock;
  private volatile Map<String, String> cluster = Map.of();

  AuditLog(
      @Nullable AuditPolicy policy,
      List<AuditBackend> backends,
      AuditMetrics metrics,
      Clock clock) {
    this.policy = backends.isEmpty() ? null : policy;
    this.backends = List.copyOf(backends);
    this.metrics = metrics;
    this.clock = clock;
  }

  /**
   * @param threads for long work beside the requests
   * @param webhooks sends events to audit webhooks
   * @throws IllegalArgumentException naming the flag whose file cannot be used
   */
  public static AuditLog of(
      AuditOptions options,
      PrometheusRegistry registry,
      Clock clock,
      Executor threads,
      WebhookTransport webhooks) {
    var metrics = new AuditMetrics(registry);
    var file = options.policyFile();
    var policy = file == null ? null : policy(file);
    var backends = new ArrayList<AuditBackend>();
    var path = options.log().path();
    if (path != null) {
      var output = output(options.log(), path, clock, threads);
      if (policy == null) {
        LOG.info("--audit-log-path: there is no --audit-policy-file, so nothing is logged");
        output.close();
      } else {
        backends.add(new LogBackend(options.log(), output, metrics));
      }
    }
    var config = options.webhook().configFile();
    if (config != null) {
      if (policy == null) {
        LOG.info(
            "--audit-webhook-config-file: there is no --audit-policy-file, so nothing is told");
      } else {
        backends.add(
            new WebhookBackend(
                options.webhook(), poster(options.webhook(), config, clock, webhooks), metrics));
      }
    }
    return new AuditLog(policy, backends, metrics, clock);
  }

  private static AuditPolicy policy(Path file) {
    try {
      return AuditPolicyReader.read(Files.readAllBytes(file));
    } catch (IOException e) {
      throw new IllegalArgumentException("--audit-policy-file: " + FileProblems.text(file, e), e);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "--audit-policy-file: " + e.getMessage() + ": from file " + file, e);
    }
  }

  private static LogOutput output(
      AuditLogOptions options, String path, Clock clock, Executor threads) {
    if (path.equals("-")) {
      return LogOutput.standard();
    }
    var file = Path.of(path);
    var old =
        new LogRetention(
            file, options.maxBackups(), options.maxAge(), options.compress(), clock, threads);
    try {
      return new RotatedFile(file, options.maxSize() * 1024L * 1024, old, clock);
    } catch (IOException e) {
      throw new IllegalArgumentException("--audit-log-path: " + FileProblems.text(file, e), e);
    }
  }

  private static EventPoster poster(
      AuditWebhookOptions options, Path config, Clock clock, WebhookTransport webhooks) {
    try {
      return new EventPoster(
          new RenewedKubeconfig<>(config, WebhookKubeconfig::readReceiver, clock),
          webhooks,
          options.backoff(),
          RandomGenerator.getDefault());
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("--audit-webhook-config-file: " + e.getMessage(), e);
    }
  }

  /** Sets the annotations that identify the cluster in all events from now on. */
  public void cluster(Map<String, String> annotations) {
    cluster = Map.copyOf(annotations);
  }

  Map<String, String> cluster() {
    return cluster;
  }

  /**
   * The audit entry of a request; null when it is not audited.
   *
   * @param attributes of the request; their user is ignored when authentication failed
   * @param isLong whether the response may be a long-running stream
   * @param started when the request arrived, in {@link System#nanoTime}
   */
  public @Nullable RequestAudit begin(
      HttpExchange exchange,
      Attributes attributes,
      String auditId,
      boolean authenticated,
      boolean isLong,
      long started) {
    var rules = policy;
    if (rules == null) {
      return null;
    }
    var decision = rules.decide(attributes, authenticated);
    metrics.level(decision.level());
    if (decision.level() == AuditLevel.NONE) {
      return null;
    }
    var query = exchange.query();
    var agent = exchange.header("user-agent");
    var request =
        new AuditedRequest(
            auditId,
            query.isEmpty() ? exchange.path() : exchange.path() + "?" + query,
            attributes.verb(),
            authenticated ? attributes.user() : null,
            SourceIps.of(exchange),
            agent == null ? "" : text(agent),
            micros() - (System.nanoTime() - started) / 1000);
    var object =
        attributes.resourceRequest()
            ? new AuditedReference(
                attributes.resource(),
                attributes.namespace(),
                attributes.name(),
                "",
                attributes.group(),
                attributes.version(),
                "",
                attributes.subresource())
            : null;
    return new RequestAudit(this, decision, request, object, isLong, !authenticated);
  }

  /** Decodes a header as UTF-8; HTTP delivers one character per byte. */
  private static String text(String header) {
    for (int i = 0; i < header.length(); i++) {
      if (header.charAt(i) >= 128) {
        return new String(header.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
      }
    }
    return header;
  }

  /** The current time in microseconds since 1970. */
  long micros() {
    var now = clock.instant();
    return now.getEpochSecond() * 1_000_000 + now.getNano() / 1000;
  }

  CompletableFuture<Boolean> process(AuditEvent event) {
    metrics.event();
    var taken = AuditBackend.TAKEN;
    for (var backend : backends) {
      var one = backend.process(event);
      if (one != AuditBackend.TAKEN) {
        taken = taken == AuditBackend.TAKEN ? one : taken.thenCombine(one, Boolean::logicalAnd);
      }
    }
    return taken;
  }

  /** A request was rejected because its event was lost. */
  public void rejected() {
    metrics.rejected();
  }

  /** Writes the remaining events, for a few seconds at most. */
  @Override
  public void close() {
    backends.forEach(AuditBackend::close);
  }
}
