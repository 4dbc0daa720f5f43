package dev.muster.types;

import dev.muster.model.json.JsonObject;
import dev.muster.replica.object.StoredObject;
import dev.muster.replica.snapshot.Range;
import dev.muster.replica.snapshot.Snapshot;
import dev.muster.types.scheduling.CpuTask;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Presents a snapshot of the replica as a {@link ClusterView}. */
public record SnapshotView(Snapshot snapshot) implements ClusterView {
  @Override
  public @Nullable JsonObject get(String collection, String namespace, String name) {
    var object = snapshot.collection(collection).get(namespace, name);
    return object == null ? null : object.tree();
  }

  @Override
  public List<JsonObject> list(String collection, String namespace) {
    var objects = snapshot.collection(collection);
    var found = new ArrayList<JsonObject>();
    for (var object : namespace.isEmpty() ? objects.all() : objects.in(namespace)) {
      CpuTask.checkpoint();
      found.add(object.tree());
    }
    return found;
  }

  @Override
  public boolean isEmpty(String collection, String namespace) {
    var objects = snapshot.collection(collection);
    return (namespace.isEmpty() ? objects.all() : objects.in(namespace)).isEmpty();
  }

  @Override
  public long revision(String collection, String namespace, String name) {
    var object = snapshot.collection(collection).get(namespace, name);
    return object == null ? 0 : object.revision();
  }

  @Override
  public long changed(String collection) {
    return snapshot.collection(collection).changed();
  }

  @Override
  public @Nullable StoredObject stored(String collection, String namespace, String name) {
    return snapshot.collection(collection).get(namespace, name);
  }

  @Override
  public Range indexed(String collection, String field, String value, String namespace) {
    return snapshot
        .collection(collection)
        .withField(field, value, namespace.isEmpty() ? null : namespace);
  }

  @Override
  public Types types() {
    return Types.in(snapshot);
  }
}
