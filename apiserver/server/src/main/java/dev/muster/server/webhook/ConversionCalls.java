package dev.muster.server.webhook;

import dev.muster.model.Uuid;
import dev.muster.model.json.JsonObject;
import dev.muster.model.status.ApiException;
import dev.muster.model.status.Reason;
import dev.muster.registry.commit.Deadline;
import dev.muster.registry.custom.WebhookConversion;
import dev.muster.registry.webhook.Cancellation;
import dev.muster.registry.webhook.ConversionWebhook;
import dev.muster.registry.webhook.WebhookException;
import dev.muster.registry.webhook.WebhookTransport;
import dev.muster.replica.Replica;
import dev.muster.replica.object.StoredObject;
import dev.muster.types.ObjectMeta;
import dev.muster.types.SnapshotView;
import dev.muster.types.scheduling.OutboundWait;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Calls the conversion webhooks of CustomResourceDefinitions, whose Services it finds in the newest
 * snapshot. Thread-safe. It blocks the calling thread, and releases its place in the CPU pool
 * meanwhile.
 */
public final class ConversionCalls implements WebhookConversion {
  private static final Duration LONGEST = Duration.ofSeconds(30);

  private final WebhookTransport transport;
  private final CompletableFuture<Replica> replica = new CompletableFuture<>();

  public ConversionCalls(WebhookTransport transport) {
    this.transport = transport;
  }

  /**
   * Sets the replica that contains the Services, once: the replica itself needs this object first.
   */
  public void lookIn(Replica started) {
    replica.complete(started);
  }

  @Override
  public List<JsonObject> convert(
      StoredObject definition, List<JsonObject> objects, String apiVersion) {
    var tree = definition.tree();
    List<JsonObject> converted;
    try (var _ = OutboundWait.begin()) {
      converted =
          ConversionWebhook.of(
                  tree.object("metadata").string("name"),
                  tree.object("spec", "conversion"),
                  transport,
                  () -> Uuid.random(ThreadLocalRandom.current()))
              .during(
                  new SnapshotView(replica.join().current()),
                  Deadline.after(LONGEST),
                  Cancellation.NEVER)
              .convert(objects.stream().map(ConversionCalls::asStored).toList(), apiVersion);
    } catch (WebhookException e) {
      throw new ApiException(Reason.UNKNOWN, e.text());
    }
    var result = new ArrayList<JsonObject>(objects.size());
    for (int i = 0; i < objects.size(); i++) {
      result.add(withVersion(converted.get(i), ObjectMeta.resourceVersion(objects.get(i))));
    }
    return result;
  }

  private static JsonObject withVersion(JsonObject object, String version) {
    return version.isEmpty()
        ? object
        : object.with("metadata", object.object("metadata").with("resourceVersion", version));
  }

  /** Stored objects do not contain their resource version; the store's revision replaces it. */
  private static JsonObject asStored(JsonObject object) {
    return object.with("metadata", object.object("metadata").without("resourceVersion"));
  }
}
