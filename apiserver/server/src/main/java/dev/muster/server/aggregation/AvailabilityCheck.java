package dev.muster.server.aggregation;

import dev.muster.model.json.Json;
import dev.muster.model.json.JsonBool;
import dev.muster.model.json.JsonObject;
import dev.muster.registry.connect.ServiceBackend;
import dev.muster.server.proxy.BackendException;
import dev.muster.types.ClusterView;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Checks whether the server of an APIService is available: by its Service and endpoints, and by a
 * request. Thread-safe; {@link #ask} blocks.
 */
final class AvailabilityCheck {
  private static final Duration PATIENCE = Duration.ofSeconds(5);
  private static final int ATTEMPTS = 5;

  /** A working server usually answers within this time. */
  private static final Duration HEAD_START = Duration.ofSeconds(1);

  private static final String SERVICES = "/services/specs";
  private static final String SLICES = "/endpointslices";
  private static final String OWNER = "kubernetes.io/service-name";

  private final AggregatedBackends backends;
  private final Executor threads;

  AvailabilityCheck(AggregatedBackends backends, Executor threads) {
    this.backends = backends;
    this.threads = threads;
  }

  /** The problem with the Service or its endpoints, if there is one. */
  static Optional<AvailableCondition> obstacle(AggregatedApi api, ClusterView cluster) {
    var wanted = api.service();
    var named = "service/%s in \"%s\"".formatted(wanted.name(), wanted.namespace());
    var service = cluster.get(SERVICES, wanted.namespace(), wanted.name());
    if (service == null) {
      return failed("ServiceNotFound", named + " is not present");
    }
    if (!service.object("spec").string("type").equals("ClusterIP")) {
      return Optional.empty();
    }
    for (var port : service.object("spec").array("ports").objects()) {
      if (port.integer("port", 0) == wanted.port()) {
        return withoutEndpoints(named, port.string("name"), slices(api, cluster));
      }
    }
    return failed("ServicePortError", named + " is not listening on port " + wanted.port());
  }

  private static List<JsonObject> slices(AggregatedApi api, ClusterView cluster) {
    return cluster.list(SLICES, api.service().namespace()).stream()
        .filter(
            slice -> slice.object("metadata", "labels").string(OWNER).equals(api.service().name()))
        .toList();
  }

  private static Optional<AvailableCondition> withoutEndpoints(
      String named, String portName, List<JsonObject> slices) {
    if (slices.isEmpty()) {
      return failed("EndpointsNotFound", "cannot find endpointslices for " + named);
    }
    return slices.stream().anyMatch(slice -> isReady(slice) && hasPort(slice, portName))
        ? Optional.empty()
        : failed(
            "MissingEndpoints",
            "endpointslices for %s have no addresses with port name \"%s\""
                .formatted(named, portName));
  }

  private static boolean isReady(JsonObject slice) {
    return slice.array("endpoints").objects().stream()
        .map(endpoint -> Optional.<Json>ofNullable(endpoint.object("conditions").get("ready")))
        .anyMatch(ready -> ready.isEmpty() || ready.get() != JsonBool.FALSE);
  }

  private static boolean hasPort(JsonObject slice, String name) {
    return slice.array("ports").objects().stream()
        .anyMatch(port -> port.string("name").equals(name) && port.has("port"));
  }

  private static Optional<AvailableCondition> failed(String reason, String message) {
    return Optional.of(AvailableCondition.failed(reason, message));
  }

  /**
   * Requests the resources of the group version. One of several endpoints may be gone, so one good
   * response out of several attempts is enough.
   *
   * @param cluster the newest snapshot
   */
  AvailableCondition ask(AggregatedApi api, Supplier<ClusterView> cluster) {
    var problems = new LinkedBlockingQueue<Optional<String>>();
    Runnable attempt = () -> problems.add(problem(api, cluster.get()));
    try {
      threads.execute(attempt);
      var first = problems.poll(HEAD_START.toMillis(), TimeUnit.MILLISECONDS);
      if (first != null && first.isEmpty()) {
        return AvailableCondition.PASSED;
      }
      int open = first == null ? ATTEMPTS : ATTEMPTS - 1;
      for (int i = 1; i < ATTEMPTS; i++) {
        threads.execute(attempt);
      }
      var last = first == null ? "" : first.get();
      for (int i = 0; i < open; i++) {
        var next = problems.take();
        if (next.isEmpty()) {
          return AvailableCondition.PASSED;
        }
        last = next.get();
      }
      return AvailableCondition.failed("FailedDiscoveryCheck", last);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return AvailableCondition.failed("FailedDiscoveryCheck", "the server is stopping");
    }
  }

  /** Empty when the check passes. */
  private Optional<String> problem(AggregatedApi api, ClusterView cluster) {
    try {
      var url = backends.destination(api, cluster, api.root(), "");
      var missing = "failing or missing response from " + url + ": ";
      try {
        int status = backends.status(api, url, PATIENCE);
        return status / 100 == 2
            ? Optional.empty()
            : Optional.of(missing + "bad status from " + url + ": " + status);
      } catch (BackendException e) {
        return Optional.of(missing + "Get \"" + url + "\": " + e.text());
      }
    } catch (ServiceBackend.Missing e) {
      return Optional.of(e.text());
    } catch (RuntimeException e) {
      return Optional.of(e.toString());
    }
  }
}
