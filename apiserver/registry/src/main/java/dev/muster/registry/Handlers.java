package dev.muster.registry;

import dev.muster.registry.body.RequestDecoder;
import dev.muster.registry.commit.Deadline;
import dev.muster.registry.pods.BindingHandler;
import dev.muster.registry.pods.EvictionHandler;
import dev.muster.registry.write.CreateHandler;
import dev.muster.registry.write.DeleteCollectionHandler;
import dev.muster.registry.write.DeleteHandler;
import dev.muster.registry.write.PatchHandler;
import dev.muster.registry.write.PutHandler;
import dev.muster.registry.write.ScaleHandler;
import dev.muster.registry.write.UnstoredHandler;
import dev.muster.registry.write.UpdateHandler;
import dev.muster.registry.write.WriteContext;
import dev.muster.replica.snapshot.Snapshot;

/** The handlers of the mutating verbs, one per verb, wired to one another. */
public record Handlers(
    WriteContext context,
    RequestDecoder bodies,
    CreateHandler creates,
    UpdateHandler updates,
    PutHandler puts,
    PatchHandler patches,
    DeleteHandler deletes,
    DeleteCollectionHandler collections,
    ScaleHandler scales,
    BindingHandler bindings,
    EvictionHandler evictions,
    UnstoredHandler unstored) {

  public static Handlers of(WriteContext context, RequestDecoder requestDecoder) {
    var creates = new CreateHandler(context);
    var updates = new UpdateHandler(context, creates);
    var patches = new PatchHandler(context, updates, requestDecoder);
    var deletes = new DeleteHandler(context);
    return new Handlers(
        context,
        requestDecoder,
        creates,
        updates,
        new PutHandler(updates),
        patches,
        deletes,
        new DeleteCollectionHandler(context, deletes),
        new ScaleHandler(context, updates, patches, requestDecoder),
        new BindingHandler(context),
        new EvictionHandler(context, requestDecoder),
        new UnstoredHandler(context));
  }

  /** Waits for a snapshot that contains every write acknowledged before this call. */
  public Snapshot latest(Deadline deadline) {
    return context.commits().fresh(deadline);
  }
}
