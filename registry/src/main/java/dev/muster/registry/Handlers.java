package dev.muster.registry;

import dev.muster.replica.Snapshot;

/** One handler per verb that changes something, wired to one another. */
public record Handlers(
    Commits commits,
    Bodies bodies,
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

  public Handlers(WriteContext context, Bodies bodies) {
    this(context, bodies, new CreateHandler(context), new DeleteHandler(context));
  }

  private Handlers(
      WriteContext context, Bodies bodies, CreateHandler creates, DeleteHandler deletes) {
    this(context, bodies, creates, new UpdateHandler(context, creates), deletes);
  }

  private Handlers(
      WriteContext context,
      Bodies bodies,
      CreateHandler creates,
      UpdateHandler updates,
      DeleteHandler deletes) {
    this(context, bodies, creates, updates, deletes, new PatchHandler(context, updates, bodies));
  }

  private Handlers(
      WriteContext context,
      Bodies bodies,
      CreateHandler creates,
      UpdateHandler updates,
      DeleteHandler deletes,
      PatchHandler patches) {
    this(
        context.commits(),
        bodies,
        creates,
        updates,
        new PutHandler(updates),
        patches,
        deletes,
        new DeleteCollectionHandler(context, deletes),
        new ScaleHandler(context, updates, patches, bodies),
        new BindingHandler(context),
        new EvictionHandler(context, bodies),
        new UnstoredHandler(context));
  }

  /** A snapshot that is at least as new as anything acknowledged before this call. */
  public Snapshot latest() {
    return commits.fresh();
  }
}
