package dev.muster.controllers.endpoints;

import dev.muster.controllers.EventRecorder;
import dev.muster.controllers.ObjectKey;
import dev.muster.controllers.client.ApiResource;
import dev.muster.controllers.loop.CachedLoop;
import dev.muster.controllers.loop.LoopController;
import dev.muster.controllers.loop.Loops;
import dev.muster.controllers.loop.ObjectCache;
import dev.muster.model.json.JsonObject;
import io.fabric8.kubernetes.api.model.ObjectReferenceBuilder;
import java.time.Clock;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Mirrors the Endpoints of services without a selector into EndpointSlices. Works on virtual
 * threads, one service on one of them at a time.
 */
public final class MirroringController implements LoopController {
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);
  private static final String LEADER = "control-plane.alpha.kubernetes.io/leader";
  private static final String SKIP = "endpointslice.kubernetes.io/skip-mirror";

  private final int parallel;
  private final int most;
  private final Clock clock;

  /**
   * @param parallel the number of services processed concurrently
   * @param most the largest number of mirrored addresses per subset
   */
  public MirroringController(int parallel, int most, Clock clock) {
    this.parallel = parallel;
    this.most = most;
    this.clock = clock;
  }

  @Override
  public String name() {
    return "endpointslice-mirroring-controller";
  }

  @Override
  public AutoCloseable start(Loops loops) {
    return new Running(loops).loop;
  }

  private final class Running {
    private final CachedLoop<ObjectKey> loop;
    private final ObjectCache services;
    private final ObjectCache endpoints;
    private final SliceWriter writer;
    private final EventRecorder events;

    Running(Loops loops) {
      var requests = loops.requests();
      events = new EventRecorder(requests, name(), clock);
      loop = new CachedLoop<>("endpoint_slice_mirroring", loops);
      services = loop.cache("/api/v1/services", ObjectCache::whole, this::changed);
      endpoints = loop.cache("/api/v1/endpoints", ObjectCache::whole, this::changed);
      writer =
          new SliceWriter(
              new ApiResource(requests, "/apis/discovery.k8s.io/v1", "endpointslices"),
              loop,
              MirrorPlan.MANAGER);
      loop.start(parallel, LONGEST_PAUSE, this::sync);
    }

    private void changed(@Nullable JsonObject old, @Nullable JsonObject now) {
      loop.add(ObjectKey.of(Objects.requireNonNull(now == null ? old : now)));
    }

    private boolean sync(ObjectKey key) {
      var slices = writer.slicesOf(key);
      var source = endpoints.get(key.namespace(), key.name());
      if (source == null || !isMirrored(source, services.get(key.namespace(), key.name()))) {
        var gone = new SliceChanges();
        gone.delete().addAll(slices);
        writer.write(gone, Optional.empty(), false);
        return true;
      }
      var plan = new MirrorPlan(source, most);
      var changes = plan.changes(slices);
      boolean deleting = source.object("metadata").has("deletionTimestamp");
      writer.write(changes, Optional.empty(), !deleting);
      if (!changes.isEmpty()) {
        report(source, plan);
      }
      return true;
    }

    private static boolean isMirrored(JsonObject endpoints, @Nullable JsonObject service) {
      var metadata = endpoints.object("metadata");
      return service != null
          && !service.object("spec").has("selector")
          && !metadata.object("labels").string(SKIP).equals("true")
          && !metadata.object("annotations").has(LEADER);
    }

    private void report(JsonObject source, MirrorPlan plan) {
      var metadata = source.object("metadata");
      var about =
          new ObjectReferenceBuilder()
              .withApiVersion("v1")
              .withKind("Endpoints")
              .withNamespace(metadata.string("namespace"))
              .withName(metadata.string("name"))
              .withUid(metadata.string("uid"))
              .build();
      if (plan.invalid() > 0) {
        events.warn(
            about,
            "InvalidIPAddress",
            "Skipped %d invalid IP addresses when mirroring to EndpointSlices"
                .formatted(plan.invalid()));
      }
      if (plan.skipped() > 0) {
        events.warn(
            about,
            "TooManyAddressesToMirror",
            ("A max of %d addresses can be mirrored to EndpointSlices per Endpoints subset. %d"
                    + " addresses were skipped")
                .formatted(most, plan.skipped() + plan.invalid()));
      }
    }
  }
}
