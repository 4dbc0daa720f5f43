package dev.muster.controllers.disruption;

import dev.muster.controllers.EventRecorder;
import dev.muster.controllers.ObjectKey;
import dev.muster.controllers.client.ApiResource;
import dev.muster.controllers.loop.CachedLoop;
import dev.muster.controllers.loop.LoopController;
import dev.muster.controllers.loop.Loops;
import dev.muster.controllers.loop.ObjectCache;
import dev.muster.model.json.JsonObject;
import dev.muster.model.select.LabelSelector;
import io.fabric8.kubernetes.api.model.ObjectReferenceBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Computes the status of PodDisruptionBudgets: how many of their pods may be evicted now. Works on
 * virtual threads, one budget on one of them at a time.
 */
public final class DisruptionController implements LoopController {
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);
  private static final int PARALLEL = 2;

  private static final Logger log = LoggerFactory.getLogger(DisruptionController.class);

  private final Clock clock;

  public DisruptionController(Clock clock) {
    this.clock = clock;
  }

  @Override
  public String name() {
    return "disruption-controller";
  }

  @Override
  public AutoCloseable start(Loops loops) {
    return new Running(loops).loop;
  }

  private final class Running {
    private final ApiResource budgets;
    private final CachedLoop<ObjectKey> loop;
    private final ObjectCache cache;
    private final ObjectCache pods;
    private final PodScale scale;
    private final EventRecorder events;

    Running(Loops loops) {
      var requests = loops.requests();
      budgets = new ApiResource(requests, "/apis/policy/v1", "poddisruptionbudgets");
      scale = new PodScale(requests);
      events = new EventRecorder(requests, "controllermanager", clock);
      loop = new CachedLoop<>("disruption", loops);
      cache = loop.cache(budgets.path(""), ObjectCache::whole, this::budgetChanged);
      pods = loop.cache("/api/v1/pods", Running::keep, this::podChanged);
      loop.start(PARALLEL, LONGEST_PAUSE, this::sync);
    }

    private static JsonObject keep(JsonObject pod) {
      var metadata = pod.object("metadata").without("managedFields").without("annotations");
      var ready = JsonObject.of("conditions", pod.object("status").array("conditions"));
      return JsonObject.of("metadata", metadata, "status", ready);
    }

    private void budgetChanged(@Nullable JsonObject old, @Nullable JsonObject now) {
      if (now != null) {
        loop.add(ObjectKey.of(now));
      }
    }

    private void podChanged(@Nullable JsonObject old, @Nullable JsonObject now) {
      if (old != null) {
        addBudgets(old);
      }
      if (now != null) {
        addBudgets(now);
      }
    }

    private void addBudgets(JsonObject pod) {
      var metadata = pod.object("metadata");
      for (var budget : cache.list(metadata.string("namespace"))) {
        if (selector(budget).matches(metadata.object("labels"))) {
          loop.add(ObjectKey.of(budget));
        }
      }
    }

    private static LabelSelector selector(JsonObject budget) {
      var spec = budget.object("spec");
      return LabelSelector.ofObject(spec.has("selector") ? spec.object("selector") : null);
    }

    private boolean sync(ObjectKey key) {
      var budget = cache.get(key.namespace(), key.name());
      if (budget == null) {
        return true;
      }
      var now = clock.instant();
      JsonObject status;
      try {
        status = count(key, budget);
      } catch (IllegalArgumentException | IllegalStateException e) {
        warn(budget, "CalculateExpectedPodCountFailed", e);
        status = DisruptionBudget.failed(budget, String.valueOf(e.getMessage()), now);
      }
      if (!status.equals(budget.object("status"))) {
        write(budget.with("status", status));
      }
      return true;
    }

    private JsonObject count(ObjectKey key, JsonObject budget) {
      var selector = selector(budget);
      List<JsonObject> selected =
          pods.list(key.namespace()).stream()
              .filter(pod -> selector.matches(pod.object("metadata").object("labels")))
              .toList();
      long wanted = 0;
      if (DisruptionBudget.needsScale(budget)) {
        var found = scale.of(selected);
        wanted = found.pods();
        if (!found.unmanaged().isEmpty()) {
          log.debug("{} is for pods without a controller: {}", key, found.unmanaged());
        }
      }
      var now = clock.instant();
      var counted = DisruptionBudget.of(budget, selected, wanted, now);
      counted
          .recheck()
          .ifPresent(time -> loop.addAfter(key, Duration.between(now, time).plusMillis(1)));
      return counted.status(budget, now);
    }

    private void write(JsonObject budget) {
      try {
        cache.written(ObjectCache.whole(budgets.updateStatus(budget)));
      } catch (KubernetesClientException e) {
        if (!ApiResource.isGone(e)) {
          throw e;
        }
      }
    }

    private void warn(JsonObject budget, String reason, Exception why) {
      var metadata = budget.object("metadata");
      events.warn(
          new ObjectReferenceBuilder()
              .withApiVersion("policy/v1")
              .withKind("PodDisruptionBudget")
              .withNamespace(metadata.string("namespace"))
              .withName(metadata.string("name"))
              .withUid(metadata.string("uid"))
              .build(),
          reason,
          "Failed to calculate the number of expected pods: " + why.getMessage());
    }
  }
}
