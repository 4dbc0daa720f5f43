package dev.muster.controllers.garbagecollector;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One thread at a time. The objects of an API server with its rules of deletion, whose watch events
 * wait until they are asked for, and whose requests fail when told to: before they do anything, or
 * after.
 */
final class ObjectsInMemory implements ObjectClient {
  /** What a watch will tell. */
  record Change(ObjectMetadata object, boolean gone) {}

  private record Stored(
      ObjectReference reference,
      List<Map<String, Object>> owners,
      List<String> finalizers,
      boolean deleting,
      int version) {}

  private final Map<ObjectReference, Stored> objects = new LinkedHashMap<>();
  private final Deque<Change> changes = new ArrayDeque<>();
  private final List<String> violations = new ArrayList<>();
  private final Consumer<String> faults;
  private int versions;

  /**
   * @param faults is told of each request before and after it has been carried out, and may throw
   */
  ObjectsInMemory(Consumer<String> faults) {
    this.faults = faults;
  }

  static ObjectReference key(String namespace, String name) {
    return new ObjectReference("v1", kind(namespace), namespace, name, "");
  }

  private static String kind(String namespace) {
    return namespace.isEmpty() ? "Node" : "ConfigMap";
  }

  Deque<Change> changes() {
    return changes;
  }

  List<String> violations() {
    return violations;
  }

  List<ObjectMetadata> all() {
    return objects.values().stream().map(ObjectsInMemory::metadata).toList();
  }

  Optional<ObjectMetadata> find(String namespace, String name) {
    return Optional.ofNullable(objects.get(key(namespace, name))).map(ObjectsInMemory::metadata);
  }

  ObjectReference create(String namespace, String name, List<Map<String, Object>> owners) {
    var uid = "uid-" + ++versions;
    var reference = new ObjectReference("v1", kind(namespace), namespace, name, uid);
    put(new Stored(reference, owners, List.of(), false, versions));
    return reference;
  }

  static Map<String, Object> owner(ObjectReference owner, boolean blocks) {
    return Map.of(
        "apiVersion",
        owner.apiVersion(),
        "kind",
        owner.kind(),
        "name",
        owner.name(),
        "uid",
        owner.uid(),
        "blockOwnerDeletion",
        blocks);
  }

  /** A user's delete. */
  void userDeletes(ObjectReference object, Propagation propagation) {
    var stored = objects.get(key(object.namespace(), object.name()));
    if (stored != null) {
      remove(stored, propagation);
    }
  }

  private void remove(Stored stored, Propagation propagation) {
    var finalizers = new ArrayList<>(stored.finalizers());
    finalizers.remove(ObjectMetadata.ORPHAN);
    finalizers.remove(ObjectMetadata.FOREGROUND);
    switch (propagation) {
      case ORPHAN -> finalizers.add(ObjectMetadata.ORPHAN);
      case FOREGROUND -> finalizers.add(ObjectMetadata.FOREGROUND);
      case BACKGROUND -> {}
    }
    put(new Stored(stored.reference(), stored.owners(), finalizers, true, ++versions));
  }

  private void put(Stored stored) {
    var key = key(stored.reference().namespace(), stored.reference().name());
    boolean gone = stored.deleting() && stored.finalizers().isEmpty();
    if (gone) {
      objects.remove(key);
    } else {
      objects.put(key, stored);
    }
    changes.add(new Change(metadata(stored), gone));
  }

  private static ObjectMetadata metadata(Stored stored) {
    var reference = stored.reference();
    return ObjectMetadata.read(
        reference.apiVersion(),
        reference.kind(),
        Map.of(
            "metadata",
            Map.of(
                "namespace",
                reference.namespace(),
                "name",
                reference.name(),
                "uid",
                reference.uid(),
                "deletionTimestamp",
                stored.deleting() ? "2026-01-01T00:00:00Z" : "",
                "finalizers",
                stored.finalizers(),
                "ownerReferences",
                stored.owners())));
  }

  @Override
  public boolean isNamespaced(String apiVersion, String kind) {
    return kind.equals("ConfigMap");
  }

  @Override
  public Optional<LiveObject> get(ObjectReference object) {
    fail("get");
    return Optional.ofNullable(stored(object))
        .map(
            stored ->
                new LiveObject(
                    metadata(stored), "" + stored.version(), stored.finalizers(), stored.owners()));
  }

  private @Nullable Stored stored(ObjectReference object) {
    boolean namespaced = isNamespaced(object.apiVersion(), object.kind());
    return objects.get(key(namespaced ? object.namespace() : "", object.name()));
  }

  private void fail(String what) {
    faults.accept(what);
  }

  @Override
  public Outcome delete(ObjectReference object, String resourceVersion, Propagation propagation) {
    fail("delete");
    var stored = stored(object);
    if (stored == null) {
      return Outcome.NOT_FOUND;
    }
    boolean meant =
        stored.reference().uid().equals(object.uid())
            && (resourceVersion.isEmpty() || resourceVersion.equals("" + stored.version()));
    if (!meant) {
      return Outcome.CONFLICT;
    }
    if (hasLivingOwner(metadata(stored))) {
      violations.add(object + " was collected although it has an owner");
    }
    remove(stored, propagation);
    fail("the answer to delete");
    return Outcome.DONE;
  }

  /** Whether an owner is there, where its dependent says, and does not wait for dependents. */
  boolean hasLivingOwner(ObjectMetadata object) {
    return object.owners().stream()
        .map(owner -> owner.in(object.reference().namespace()))
        .anyMatch(
            owner -> {
              var found = stored(owner);
              return found != null
                  && found.reference().uid().equals(owner.uid())
                  && !metadata(found).isDeletingDependents();
            });
  }

  @Override
  public Outcome patch(ObjectReference object, Map<String, Object> patch) {
    return Outcome.UNSUPPORTED;
  }

  @Override
  public Outcome mergePatch(ObjectReference object, Map<String, Object> patch) {
    fail("patch");
    var stored = stored(object);
    if (stored == null) {
      return Outcome.NOT_FOUND;
    }
    var metadata = ObjectMetadata.map(patch.get("metadata"));
    if (!("" + stored.version()).equals(metadata.get("resourceVersion"))) {
      return Outcome.CONFLICT;
    }
    var owners =
        metadata.containsKey("ownerReferences")
            ? ObjectMetadata.list(metadata.get("ownerReferences")).stream()
                .map(ObjectMetadata::map)
                .toList()
            : stored.owners();
    var finalizers =
        metadata.containsKey("finalizers")
            ? ObjectMetadata.list(metadata.get("finalizers")).stream().map(String::valueOf).toList()
            : stored.finalizers();
    put(new Stored(stored.reference(), owners, finalizers, stored.deleting(), ++versions));
    fail("the answer to patch");
    return Outcome.DONE;
  }
}
