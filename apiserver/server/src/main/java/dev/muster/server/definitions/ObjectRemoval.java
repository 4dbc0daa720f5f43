package dev.muster.server.definitions;

import dev.muster.model.MalformedValueException;
import dev.muster.model.Timestamps;
import dev.muster.model.json.JsonObject;
import dev.muster.model.status.ApiException;
import dev.muster.model.status.Reason;
import dev.muster.replica.Replica;
import dev.muster.replica.object.StoredObject;
import dev.muster.replica.object.UnreadableObject;
import dev.muster.replica.snapshot.Collection;
import dev.muster.replica.snapshot.ReplicaException;
import dev.muster.replica.snapshot.Snapshot;
import dev.muster.types.ObjectMeta;
import dev.muster.types.ServedType;
import dev.muster.types.Types;
import dev.muster.validation.apis.DefinitionRemoval;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.Executors;

/**
 * Deletes the objects of a CustomResourceDefinition that is being deleted, through the usual delete
 * path. One thread uses it, and it blocks that thread. The servers of a fleet share the work: each
 * goes through the objects in a random order and skips deleted ones. It deletes only objects that
 * it has seen, never a later object of the same name, whose definition may be another one.
 */
final class ObjectRemoval {
  /** After this time the status says that the deletion is stalled. */
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  /** The number of objects deleted in one step, before another definition is processed. */
  private static final int AT_ONCE = 100;

  /**
   * @param definition with its new status
   * @param storage the collection whose objects remain; "" when the deletion is finished
   */
  record Step(JsonObject definition, String storage) {}

  private final DefinitionWrites objects;
  private final Replica replica;

  /** The last change of each collection in which all objects were being deleted already. */
  private final Map<String, Long> exhausted = new HashMap<>();

  ObjectRemoval(DefinitionWrites objects, Replica replica) {
    this.objects = objects;
    this.replica = replica;
  }

  /** Does one step of the deletion, and returns its progress. */
  Step next(Snapshot snapshot, JsonObject definition, Instant now) {
    if (!DefinitionRemoval.mayHaveObjects(definition)) {
      return new Step(DefinitionRemoval.finished(definition, now), "");
    }
    var spec = definition.object("spec");
    var plural = spec.object("names").string("plural");
    var storage = "/" + spec.string("group") + "/" + plural;
    var type = type(Types.in(snapshot), spec.string("group"), plural);
    if (type.isEmpty()) {
      return snapshot.rawUnder(storage + "/").isEmpty()
          ? new Step(DefinitionRemoval.finished(definition, now), "")
          : new Step(
              DefinitionRemoval.failed(
                  definition,
                  "could not list instances: unable to find a custom resource client for %s.%s"
                      .formatted(plural, spec.string("group")),
                  now),
              storage);
    }
    return objectsOf(type.get(), snapshot, definition, now);
  }

  /** Forgets all other collections. */
  void retain(Set<String> storages) {
    exhausted.keySet().retainAll(storages);
  }

  private Step objectsOf(ServedType type, Snapshot snapshot, JsonObject definition, Instant now) {
    var collection = snapshot.collection(type.storage());
    var unreadable = collection.unreadable();
    if (collection.size() == 0 && unreadable.isEmpty()) {
      return new Step(DefinitionRemoval.finished(definition, now), "");
    }
    Set<String> failures = Set.of();
    if (!Objects.equals(exhausted.get(type.storage()), collection.changed())) {
      var left = left(type, collection);
      if (left.isEmpty()) {
        exhausted.put(type.storage(), collection.changed());
      } else {
        failures = delete(type, left);
      }
    }
    return new Step(said(definition, failures, unreadable, now), type.storage());
  }

  private static JsonObject said(
      JsonObject definition, Set<String> failures, List<UnreadableObject> unreadable, Instant now) {
    if (!failures.isEmpty()) {
      var all = failures.iterator().next();
      all = failures.size() == 1 ? all : "[" + String.join(", ", failures) + "]";
      return DefinitionRemoval.failed(definition, "could not issue all deletes: " + all, now);
    }
    if (!unreadable.isEmpty()) {
      // If they stayed, they would reappear with the next definition of that name.
      var first = new ReplicaException.Unreadable(unreadable.getFirst());
      return DefinitionRemoval.failed(
          definition, "could not list instances: " + first.getMessage(), now);
    }
    return isLate(definition, now)
        ? DefinitionRemoval.stalled(definition, now)
        : DefinitionRemoval.begun(definition, now);
  }

  /**
   * Any version will do: objects are deleted independently of the version in which they are shown.
   */
  private static Optional<ServedType> type(Types types, String group, String plural) {
    return types.allOf(group).stream().filter(type -> type.plural().equals(plural)).findFirst();
  }

  /** Some of the objects that are not being deleted yet, by the newest snapshot. */
  private List<StoredObject> left(ServedType type, Collection collection) {
    var objects = new ArrayList<StoredObject>(collection.size());
    collection.all().forEach(objects::add);
    Collections.shuffle(objects);
    return objects.stream().filter(object -> isLeft(type, object)).limit(AT_ONCE).toList();
  }

  private boolean isLeft(ServedType type, StoredObject object) {
    var name = object.name();
    var current = replica.current().collection(type.storage()).get(name.namespace(), name.name());
    return current != null
        && current.revision() == object.revision()
        && !ObjectMeta.isDeleting(current.tree());
  }

  /** The failures, each text once and in a stable order. */
  private Set<String> delete(ServedType type, List<StoredObject> left) {
    var failures = new ConcurrentSkipListSet<String>();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      left.forEach(object -> threads.execute(() -> delete(type, object, failures)));
    }
    return failures;
  }

  private void delete(ServedType type, StoredObject object, Set<String> failures) {
    try {
      objects.delete(type, object);
    } catch (ApiException e) {
      if (e.reason() != Reason.NOT_FOUND && e.reason() != Reason.CONFLICT) {
        failures.add(e.text());
      }
    } catch (RuntimeException e) {
      failures.add(e.toString());
    }
  }

  private static boolean isLate(JsonObject definition, Instant now) {
    try {
      var begun = Timestamps.parse(ObjectMeta.text(definition, "deletionTimestamp"));
      return now.isAfter(begun.plus(PATIENCE));
    } catch (MalformedValueException e) {
      return true;
    }
  }
}
