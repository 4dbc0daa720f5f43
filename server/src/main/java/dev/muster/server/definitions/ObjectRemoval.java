package dev.muster.server.definitions;

import dev.muster.model.ApiException;
import dev.muster.model.JsonObject;
import dev.muster.model.MalformedValueException;
import dev.muster.model.Reason;
import dev.muster.model.Timestamps;
import dev.muster.registry.ObjectMeta;
import dev.muster.registry.rules.apis.DefinitionRemoval;
import dev.muster.registry.types.ServedType;
import dev.muster.registry.types.Types;
import dev.muster.replica.Replica;
import dev.muster.replica.Snapshot;
import dev.muster.replica.StoredObject;
import dev.muster.server.RegistryObjects;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;

/**
 * Used by one thread, which it blocks. Deletes the objects of a definition that is being deleted,
 * as anybody would delete them. Several servers share the work: each goes through the objects in an
 * order of its own and leaves out what others have done.
 */
final class ObjectRemoval {
  /** After this long it is said that something holds objects back. */
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  /** How many are deleted before somebody else's definition has its turn. */
  private static final int AT_ONCE = 200;

  /**
   * @param definition with what is to be said of it
   * @param isDone whether nothing remains to be done until it changes
   */
  record Step(JsonObject definition, boolean isDone) {}

  private final RegistryObjects objects;
  private final Replica replica;

  ObjectRemoval(RegistryObjects objects, Replica replica) {
    this.objects = objects;
    this.replica = replica;
  }

  /** Does some of the work, and tells how far it has come. */
  Step next(Snapshot snapshot, JsonObject definition, Instant now) {
    if (!DefinitionRemoval.mayHaveObjects(definition)) {
      return new Step(DefinitionRemoval.finished(definition, now), true);
    }
    var spec = definition.object("spec");
    var plural = spec.object("names").string("plural");
    var type = type(Types.in(snapshot), spec.string("group"), plural);
    if (type.isEmpty()) {
      return snapshot.rawUnder("/" + spec.string("group") + "/" + plural + "/").isEmpty()
          ? new Step(DefinitionRemoval.finished(definition, now), true)
          : new Step(
              DefinitionRemoval.failed(
                  definition,
                  "could not list instances: unable to find a custom resource client for %s.%s"
                      .formatted(plural, spec.string("group")),
                  now),
              false);
    }
    var present = new ArrayList<StoredObject>();
    snapshot.collection(type.get().storage()).all().forEach(present::add);
    if (present.isEmpty()) {
      return new Step(DefinitionRemoval.finished(definition, now), true);
    }
    var failures = delete(type.get(), present);
    if (!failures.isEmpty()) {
      return new Step(
          DefinitionRemoval.failed(
              definition, "could not issue all deletes: " + aggregate(failures), now),
          false);
    }
    return new Step(
        isLate(definition, now)
            ? DefinitionRemoval.stalled(definition, now)
            : DefinitionRemoval.begun(definition, now),
        false);
  }

  /** Any version of it: objects are deleted whatever version they are shown in. */
  private static Optional<ServedType> type(Types types, String group, String plural) {
    return types.all().stream()
        .filter(type -> type.kind().group().equals(group) && type.plural().equals(plural))
        .findFirst();
  }

  /** What went wrong, each text once. */
  private LinkedHashSet<String> delete(ServedType type, List<StoredObject> present) {
    Collections.shuffle(present);
    var failures = new LinkedHashSet<String>();
    int deleted = 0;
    for (var object : present) {
      var name = object.name();
      var now = replica.current().collection(type.storage()).get(name.namespace(), name.name());
      if (now == null || ObjectMeta.isDeleting(now.tree())) {
        continue;
      }
      if (deleted++ == AT_ONCE) {
        break;
      }
      try {
        objects.delete(type, name.namespace(), name.name());
      } catch (ApiException e) {
        if (e.reason() != Reason.NOT_FOUND) {
          failures.add(e.text());
        }
      }
    }
    return failures;
  }

  private static String aggregate(LinkedHashSet<String> failures) {
    return failures.size() == 1 ? failures.getFirst() : "[" + String.join(", ", failures) + "]";
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
