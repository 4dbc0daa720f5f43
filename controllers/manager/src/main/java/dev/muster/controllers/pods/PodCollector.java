package dev.muster.controllers.pods;

import dev.muster.controllers.StatusConditions;
import dev.muster.controllers.client.ApiResource;
import dev.muster.controllers.loop.CachedLoop;
import dev.muster.controllers.loop.LoopController;
import dev.muster.controllers.loop.Loops;
import dev.muster.controllers.loop.ObjectCache;
import dev.muster.model.json.JsonObject;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes finished pods beyond a limit, pods on Nodes that no longer exist or are out of service,
 * and pods that were deleted before they were scheduled. Works on one virtual thread.
 */
public final class PodCollector implements LoopController {
  private static final Logger log = LoggerFactory.getLogger(PodCollector.class);
  private static final Duration PERIOD = Duration.ofSeconds(20);
  private static final String ALL = "all";

  /** How long a Node must be missing, because it may only be observed late. */
  private static final Duration QUARANTINE = Duration.ofSeconds(40);

  private final int threshold;
  private final Clock clock;

  /**
   * @param threshold the largest number of finished pods; 0 for no limit
   */
  public PodCollector(int threshold, Clock clock) {
    this.threshold = threshold;
    this.clock = clock;
  }

  @Override
  public String name() {
    return "pod-garbage-collector-controller";
  }

  @Override
  public AutoCloseable start(Loops loops) {
    return new Running(loops).loop;
  }

  private final class Running {
    private final ApiResource pods;
    private final ApiResource nodes;
    private final CachedLoop<String> loop;
    private final ObjectCache podCache;
    private final ObjectCache nodeCache;
    private final Map<String, Instant> missing = new HashMap<>();

    Running(Loops loops) {
      var requests = loops.requests();
      pods = new ApiResource(requests, "/api/v1", "pods");
      nodes = new ApiResource(requests, "/api/v1", "nodes");
      loop = new CachedLoop<>("podgc", loops);
      podCache = loop.cache(pods.path(""), Running::keepPod, (old, now) -> {});
      nodeCache = loop.cache(nodes.path(""), Running::keepNode, (old, now) -> {});
      loop.add(ALL);
      loop.start(1, PERIOD, key -> collect());
    }

    private static JsonObject keepPod(JsonObject pod) {
      var metadata = pod.object("metadata");
      var status = pod.object("status");
      return JsonObject.of(
          "metadata",
          metadata.without("managedFields").without("annotations").without("labels"),
          "spec",
          JsonObject.of("nodeName", pod.object("spec").string("nodeName")),
          "status",
          JsonObject.of("phase", status.string("phase"), "reason", status.string("reason")));
    }

    private static JsonObject keepNode(JsonObject node) {
      return JsonObject.of(
          "metadata",
          node.object("metadata").without("managedFields").without("annotations"),
          "spec",
          JsonObject.of("taints", node.object("spec").array("taints")),
          "status",
          JsonObject.of("conditions", node.object("status").array("conditions")));
    }

    private boolean collect() {
      var all = podCache.all();
      var gone = goneNodes(all);
      boolean whole = true;
      for (var one : PodCollection.collect(all, threshold, name -> nodeCache.get("", name), gone)) {
        try {
          delete(one);
        } catch (KubernetesClientException e) {
          whole &= ApiResource.isGone(e) || ApiResource.isConflict(e);
          log.info("a pod cannot be deleted now: {}", e.getMessage());
        }
      }
      loop.addAfter(ALL, PERIOD);
      return whole;
    }

    /**
     * Nodes that pods name and that have been missing for the quarantine, confirmed by the API
     * server.
     */
    private Set<String> goneNodes(Iterable<JsonObject> all) {
      var now = clock.instant();
      var absent = new HashSet<String>();
      for (var pod : all) {
        var name = pod.object("spec").string("nodeName");
        if (!name.isEmpty() && nodeCache.get("", name) == null) {
          absent.add(name);
        }
      }
      missing.keySet().retainAll(absent);
      absent.forEach(name -> missing.putIfAbsent(name, now));
      absent.removeIf(
          name ->
              now.isBefore(missing.getOrDefault(name, now).plus(QUARANTINE))
                  || nodes.get("", name).isPresent());
      return absent;
    }

    /** Marks an unfinished pod as failed before deleting it. */
    private void delete(PodCollection.Collected collected) {
      var metadata = collected.pod().object("metadata");
      var namespace = metadata.string("namespace");
      if (!PodCollection.isFinished(collected.pod())) {
        var pod = pods.get(namespace, metadata.string("name")).orElse(null);
        if (pod == null || !pod.object("metadata").string("uid").equals(metadata.string("uid"))) {
          return;
        }
        var status = pod.object("status").with("phase", "Failed");
        if (collected.reason() == PodCollection.Reason.ORPHANED) {
          var condition =
              JsonObject.of(
                  "type", "DisruptionTarget",
                  "status", "True",
                  "reason", "DeletionByPodGC",
                  "message", "PodGC: node no longer exists");
          status =
              status.with(
                  "conditions",
                  StatusConditions.with(status.array("conditions"), condition, clock.instant()));
        }
        pods.updateStatus(pod.with("status", status));
      }
      pods.delete(
          collected.pod(),
          JsonObject.of(
              "gracePeriodSeconds",
              0,
              "preconditions",
              JsonObject.of("uid", metadata.string("uid"))));
    }
  }
}
