package dev.muster.server.start;

import dev.muster.authorization.bootstrap.BootstrapObject;
import dev.muster.authorization.bootstrap.BootstrapObjects;
import dev.muster.model.GroupVersionResource;
import dev.muster.model.Timestamps;
import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonObject;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.InstantSource;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Creates the objects that every cluster has, such as system namespaces and bootstrap roles, and
 * recreates missing ones at every start. Runs on a virtual thread of its own. It retries each part
 * until it succeeds, and readiness waits for it.
 */
public final class Bootstrap implements Runnable {
  private static final Logger LOG = LoggerFactory.getLogger(Bootstrap.class);
  private static final List<String> NAMESPACES =
      List.of("kube-system", "kube-public", "kube-node-lease", "default");
  private static final String TOKEN_TRACKING =
      "kube-apiserver-legacy-service-account-token-tracking";
  private static final Duration PAUSE = Duration.ofMillis(200);
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final int FLOWS_SECONDS = 60;

  private static final GroupVersionResource SERVICE_RANGES =
      new GroupVersionResource("networking.k8s.io", "v1", "servicecidrs");

  private final RegistryObjects objects;
  private final List<String> serviceRanges;
  private final List<BootstrapObject> apiServices;
  private final Predicate<String> gates;
  private final StartHooks hooks;
  private final InstantSource clock;
  private final BooleanSupplier stopping;

  /**
   * @param gates which feature gates are enabled
   */
  public Bootstrap(
      RegistryObjects objects,
      List<String> serviceRanges,
      List<BootstrapObject> apiServices,
      Predicate<String> gates,
      StartHooks hooks,
      InstantSource clock,
      BooleanSupplier stopping) {
    this.clock = clock;
    this.stopping = stopping;
    this.serviceRanges = List.copyOf(serviceRanges);
    this.apiServices = List.copyOf(apiServices);
    this.gates = gates;
    this.objects = objects;
    this.hooks = hooks;
  }

  @Override
  public void run() {
    untilItWorks("system namespaces", this::namespaces, hooks.namespaces());
    untilItWorks("roles, priorities and flow control", this::defaults, hooks.defaults());
    untilItWorks("service ranges", this::serviceRange, hooks.ranges());
    untilItWorks("API services", () -> make(apiServices), () -> {});
    untilItWorks("tracking of legacy tokens", this::tokenTracking, () -> {});
  }

  /**
   * Once a minute, recreates deleted bootstrap FlowSchemas and PriorityLevelConfigurations, and
   * resets those that are still managed automatically. Returns when the server stops.
   */
  public void keepFlows() {
    var flows = BootstrapObjects.flows();
    for (int seconds = 1; !isOver(); seconds++) {
      try {
        Thread.sleep(SECOND);
        if (seconds % FLOWS_SECONDS == 0) {
          make(flows);
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      } catch (RuntimeException e) {
        LOG.debug("flow control is looked after later: {}", e.toString());
      }
    }
  }

  private void untilItWorks(String what, Runnable step, Runnable done) {
    boolean complained = false;
    while (!isOver()) {
      try {
        step.run();
        done.run();
        return;
      } catch (RuntimeException | Error e) {
        if (!complained && !isOver()) {
          LOG.warn("{} cannot be made yet: {}", what, e.toString());
          complained = true;
        }
      }
      try {
        Thread.sleep(PAUSE);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** A server that stops creates nothing more, and does not log failures. */
  private boolean isOver() {
    return stopping.getAsBoolean() || Thread.currentThread().isInterrupted();
  }

  private void defaults() {
    make(BootstrapObjects.all(gates));
  }

  private void make(List<BootstrapObject> wanted) {
    try {
      BootstrapObjects.run(wanted, objects);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** The ServiceCIDR object of the configured ranges, with its {@code Ready} condition. */
  private void serviceRange() {
    var name = "kubernetes";
    objects.change(SERVICE_RANGES, "", name, this::ofBothFamilies);
    var range = objects.readLatest(SERVICE_RANGES, "", name);
    if (range != null && range.object("status").array("conditions").isEmpty()) {
      var ready =
          JsonObject.of(
              "type",
              "Ready",
              "status",
              "True",
              "lastTransitionTime",
              Timestamps.format(clock.instant()),
              "message",
              "Kubernetes default Service CIDR is ready");
      objects
          .as("kubernetes-service-cidr-controller")
          .applyStatus(
              SERVICE_RANGES,
              JsonObject.of(
                  "metadata",
                  JsonObject.of("name", name),
                  "status",
                  JsonObject.of("conditions", JsonArray.of(ready))));
    }
  }

  /** A single-stack cluster gets its second range as soon as a server is configured with it. */
  private JsonObject ofBothFamilies(@Nullable JsonObject present) {
    if (present == null) {
      return JsonObject.of(
          "kind",
          "ServiceCIDR",
          "apiVersion",
          "networking.k8s.io/v1",
          "metadata",
          JsonObject.of("name", "kubernetes"),
          "spec",
          JsonObject.of("cidrs", JsonArray.ofStrings(serviceRanges)));
    }
    var ranges = present.object("spec").array("cidrs").strings();
    if (ranges.size() == 1
        && serviceRanges.size() == 2
        && ranges.getFirst().equals(serviceRanges.getFirst())) {
      return present.withAt(JsonArray.ofStrings(serviceRanges), "spec", "cidrs");
    }
    if (!ranges.equals(serviceRanges)) {
      LOG.warn(
          "--service-cluster-ip-range is {}, but the cluster's ServiceCIDR {} has {}",
          serviceRanges,
          "kubernetes",
          ranges);
    }
    return present;
  }

  /** Records since when the use of tokens in Secrets is tracked; controllers read it. */
  private void tokenTracking() {
    var configMaps = new GroupVersionResource("", "v1", "configmaps");
    objects.change(configMaps, "kube-system", TOKEN_TRACKING, this::sinceToday);
  }

  private JsonObject sinceToday(@Nullable JsonObject present) {
    var today = LocalDate.ofInstant(clock.instant(), ZoneOffset.UTC).toString();
    if (present == null) {
      return JsonObject.of(
          "kind",
          "ConfigMap",
          "apiVersion",
          "v1",
          "metadata",
          JsonObject.of("name", TOKEN_TRACKING, "namespace", "kube-system"),
          "data",
          JsonObject.of("since", today));
    }
    return isDate(present.object("data").string("since"))
        ? present
        : present.withAt(Json.of(today), "data", "since");
  }

  private static boolean isDate(String text) {
    try {
      return LocalDate.parse(text).toString().equals(text);
    } catch (DateTimeException e) {
      return false;
    }
  }

  private void namespaces() {
    var resource = new GroupVersionResource("", "v1", "namespaces");
    for (var name : NAMESPACES) {
      var wanted =
          JsonObject.of(
              "kind", "Namespace", "apiVersion", "v1", "metadata", JsonObject.of("name", name));
      objects.change(resource, "", name, present -> present == null ? wanted : present);
    }
  }
}
