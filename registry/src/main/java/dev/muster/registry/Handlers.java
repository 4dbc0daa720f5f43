package dev.muster.registry;

import dev.muster.replica.ReplicaException;
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

  public Handlers(Surroundings around, Bodies bodies) {
    this(around, bodies, new CreateHandler(around), new DeleteHandler(around));
  }

  private Handlers(
      Surroundings around, Bodies bodies, CreateHandler creates, DeleteHandler deletes) {
    this(around, bodies, creates, new UpdateHandler(around, creates), deletes);
  }

  private Handlers(
      Surroundings around,
      Bodies bodies,
      CreateHandler creates,
      UpdateHandler updates,
      DeleteHandler deletes) {
    this(around, bodies, creates, updates, deletes, new PatchHandler(around, updates, bodies));
  }

  private Handlers(
      Surroundings around,
      Bodies bodies,
      CreateHandler creates,
      UpdateHandler updates,
      DeleteHandler deletes,
      PatchHandler patches) {
    this(
        around.commits(),
        bodies,
        creates,
        updates,
        new PutHandler(updates),
        patches,
        deletes,
        new DeleteCollectionHandler(around, deletes),
        new ScaleHandler(around, updates, patches, bodies),
        new BindingHandler(around),
        new EvictionHandler(around, bodies),
        new UnstoredHandler(around));
  }

  /** How large an object is as this server knows it, in bytes of JSON; 0 when it knows none. */
  public int size(String storage, String namespace, String name) {
    try {
      var object = commits.current().collection(storage).get(namespace, name);
      return object == null ? 0 : object.json().length;
    } catch (ReplicaException.Unreadable e) {
      return 0;
    }
  }

  /** A snapshot that is at least as new as anything acknowledged before this call. */
  public Snapshot latest() {
    return commits.fresh();
  }
}
