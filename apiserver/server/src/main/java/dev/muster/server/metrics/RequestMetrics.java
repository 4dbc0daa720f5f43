package dev.muster.server.metrics;

import dev.muster.model.GroupResource;
import dev.muster.server.request.Request;
import dev.muster.server.request.RequestInfo;
import dev.muster.types.ServedType;
import dev.muster.types.Types;
import io.prometheus.metrics.core.datapoints.CounterDataPoint;
import io.prometheus.metrics.core.datapoints.DistributionDataPoint;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.CounterWithCallback;
import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;

/**
 * Counts and times requests under upstream's metric names. Thread-safe. Label values come only from
 * served types, so that clients cannot make their number grow.
 */
public final class RequestMetrics {
  /** Paths that are not resources and have their own label value. */
  private static final Set<String> PATHS =
      Set.of(
          "/healthz",
          "/livez",
          "/metrics",
          "/metrics/slis",
          "/openapi/v2",
          "/openapi/v3",
          "/readyz",
          "/version",
          "/api",
          "/apis");

  private record Labels(
      String verb,
      String group,
      String version,
      String resource,
      String subresource,
      String scope) {}

  private record DeprecatedUse(
      String group, String version, String resource, String removedRelease) {}

  private record Answered(Labels labels, int code, boolean dryRun) {}

  private final Supplier<Types> types;
  private final Counter total;
  private final Counter terminations;
  private final Histogram duration;
  private final Histogram sizes;
  private final Map<Answered, CounterDataPoint> totals = new ConcurrentHashMap<>();
  private final Map<Labels, DistributionDataPoint> durations = new ConcurrentHashMap<>();
  private final BodyMetrics bodies;
  private final Map<Labels, LongAdder> watches = new ConcurrentHashMap<>();
  private final Map<GroupResource, LongAdder> initialEvents = new ConcurrentHashMap<>();
  private final WatchEventMetrics watchEvents;
  private final LongAdder reading = new LongAdder();
  private final LongAdder writing = new LongAdder();
  private final Set<DeprecatedUse> deprecated = ConcurrentHashMap.newKeySet();

  public RequestMetrics(Supplier<Types> types, PrometheusRegistry registry) {
    this.types = types;
    this.watchEvents = new WatchEventMetrics(registry);
    this.total =
        Counter.builder()
            .withoutExemplars()
            .name("apiserver_request_total")
            .help("Requests by what they were about and how they were answered.")
            .labelNames(
                "verb",
                "dry_run",
                "group",
                "version",
                "resource",
                "subresource",
                "scope",
                "component",
                "code")
            .register(registry);
    this.terminations =
        Counter.builder()
            .withoutExemplars()
            .name("apiserver_request_terminations_total")
            .help("Requests that the server gave up: too many at a time, or out of time.")
            .labelNames(
                "code", "component", "group", "resource", "scope", "subresource", "verb", "version")
            .register(registry);
    this.duration =
        Histogram.builder()
            .withoutExemplars()
            .name("apiserver_request_duration_seconds")
            .help("Time from a request to its answer.")
            .labelNames("verb", "group", "version", "resource", "subresource", "scope", "component")
            .classicOnly()
            .classicUpperBounds(
                0.005, 0.025, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1.0, 1.25, 1.5, 2, 3, 4, 5, 6, 8, 10,
                15, 20, 30, 45, 60)
            .register(registry);
    this.sizes =
        Histogram.builder()
            .withoutExemplars()
            .name("apiserver_response_sizes")
            .help("Bytes of an answer's body.")
            .labelNames("verb", "group", "version", "resource", "subresource", "scope", "component")
            .classicOnly()
            .classicUpperBounds(1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9)
            .register(registry);
    registry.register(
        new HistogramAlias(
            duration,
            "apiserver_request_sli_duration_seconds",
            "As apiserver_request_duration_seconds, for dashboards that look for this name."));
    this.bodies = new BodyMetrics(registry);
    gauges(registry);
  }

  private void gauges(PrometheusRegistry registry) {
    GaugeWithCallback.builder()
        .name("apiserver_current_inflight_requests")
        .help("Requests that are not answered yet, without those that go on for long.")
        .labelNames("request_kind")
        .callback(
            gauge -> {
              gauge.call((double) writing.sum(), "mutating");
              gauge.call((double) reading.sum(), "readOnly");
            })
        .register(registry);
    GaugeWithCallback.builder()
        .name("apiserver_longrunning_requests")
        .help("Watches that are open.")
        .labelNames("verb", "group", "version", "resource", "subresource", "scope", "component")
        .callback(
            gauge ->
                watches.forEach((labels, open) -> gauge.call((double) open.sum(), values(labels))))
        .register(registry);
    CounterWithCallback.builder()
        .name("apiserver_init_events_total")
        .help("Objects that watches began with.")
        .labelNames("group", "resource")
        .callback(
            counter ->
                initialEvents.forEach(
                    (resource, sent) ->
                        counter.call((double) sent.sum(), resource.group(), resource.resource())))
        .register(registry);
    GaugeWithCallback.builder()
        .name("apiserver_requested_deprecated_apis")
        .help("1 for every deprecated resource that somebody asked for.")
        .labelNames("group", "version", "resource", "subresource", "removed_release")
        .callback(
            gauge ->
                deprecated.forEach(
                    asked ->
                        gauge.call(
                            1,
                            asked.group(),
                            asked.version(),
                            asked.resource(),
                            "",
                            asked.removedRelease())))
        .register(registry);
  }

  /** A request has begun; {@link #answered} follows. */
  public void began(Request request) {
    if (!request.info().isLong()) {
      (request.info().isWrite() ? writing : reading).increment();
    }
  }

  /** The counter of open watches with the same labels. */
  public LongAdder openWatches(RequestInfo info) {
    return watches.computeIfAbsent(labels(info, verb(info, "")), absent -> new LongAdder());
  }

  /** The counter of initial objects that watches of this type send. */
  public LongAdder initialEvents(ServedType type) {
    return initialEvents.computeIfAbsent(
        new GroupResource(type.kind().group(), type.plural()), absent -> new LongAdder());
  }

  /** Records the events of a watch on that type. */
  public WatchEventMetrics.Sent watchEvents(ServedType type) {
    return watchEvents.of(type);
  }

  /** Records the size of a request's body. */
  public void received(Request request) {
    var info = request.info();
    if (info.isWrite() && info.resourceRequest()) {
      var type = types.get().find(info.group(), info.version(), info.resource());
      if (type != null) {
        bodies.received(type, info.verb(), request.exchange().body().length);
      }
    }
  }

  public void answered(Request request, int status, long length) {
    var info = request.info();
    if (!info.isLong()) {
      (info.isWrite() ? writing : reading).decrement();
    }
    var labels = labels(info, verb(info, request.header("content-type")));
    var key = new Answered(labels, status, request.query().has("dryRun"));
    var counter = totals.get(key);
    if (counter == null) {
      counter = totals.computeIfAbsent(key, this::counter);
    }
    counter.inc();
    if (status == 504 || (status == 429 && !labels.subresource().equals("eviction"))) {
      terminations
          .labelValues(
              Integer.toString(status),
              "apiserver",
              labels.group(),
              labels.resource(),
              labels.scope(),
              labels.subresource(),
              labels.verb(),
              labels.version())
          .inc();
    }
    if (!info.verb().equals("watch")) {
      var timer = durations.get(labels);
      if (timer == null) {
        timer = durations.computeIfAbsent(labels, this::timer);
      }
      timer.observe((double) (System.nanoTime() - request.started()) / 1e9);
    }
    if (length > 0 && info.verb().equals("list")) {
      size(labels).observe((double) length);
    }
  }

  private CounterDataPoint counter(Answered key) {
    var labels = key.labels();
    var type = types.get().find(labels.group(), labels.version(), labels.resource());
    var deprecation = type == null ? null : type.deprecation();
    if (deprecation != null) {
      deprecated.add(
          new DeprecatedUse(
              labels.group(), labels.version(), labels.resource(), deprecation.removedRelease()));
    }
    return total.labelValues(
        labels.verb(),
        key.dryRun() ? "All" : "",
        labels.group(),
        labels.version(),
        labels.resource(),
        labels.subresource(),
        labels.scope(),
        component(labels),
        Integer.toString(key.code()));
  }

  private DistributionDataPoint timer(Labels labels) {
    return duration.labelValues(values(labels));
  }

  private DistributionDataPoint size(Labels labels) {
    return sizes.labelValues(values(labels));
  }

  private static String[] values(Labels labels) {
    return new String[] {
      labels.verb(),
      labels.group(),
      labels.version(),
      labels.resource(),
      labels.subresource(),
      labels.scope(),
      component(labels)
    };
  }

  private static String component(Labels labels) {
    return labels.resource().isEmpty() ? "" : "apiserver";
  }

  private Labels labels(RequestInfo info, String verb) {
    var type =
        info.resourceRequest()
            ? types.get().find(info.group(), info.version(), info.resource())
            : null;
    if (type == null) {
      return new Labels(verb, "", "", "", PATHS.contains(info.path()) ? info.path() : "", "");
    }
    var subresource = type.has(info.subresource()) ? info.subresource() : "";
    boolean one = !info.name().isEmpty() || info.verb().equals("create");
    var scope = one ? "resource" : info.namespace().isEmpty() ? "cluster" : "namespace";
    return new Labels(
        verb, type.kind().group(), type.kind().version(), type.plural(), subresource, scope);
  }

  private static String verb(RequestInfo info, String contentType) {
    if (info.resourceRequest() && info.isConnection() && !info.subresource().equals("log")) {
      return "CONNECT";
    }
    return switch (info.verb()) {
      case "create", "post" -> "POST";
      case "update", "put" -> "PUT";
      case "patch" -> contentType.startsWith("application/apply-patch") ? "APPLY" : "PATCH";
      case "delete", "deletecollection" -> "DELETE";
      case "get" -> "GET";
      case "list" -> "LIST";
      case "watch" -> "WATCH";
      default -> "other";
    };
  }
}
