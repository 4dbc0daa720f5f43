package dev.muster.controllers.garbagecollector;

import dev.muster.controllers.garbagecollector.ObjectClient.LiveObject;
import dev.muster.controllers.garbagecollector.ObjectClient.Outcome;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * Changes one object's metadata; each method returns whether the change is in place or the object
 * is gone. All changes have a precondition on the UID or the version that was read. Thread-safe.
 */
final class Patches {
  private static final int TRIES = 5;
  private static final String UID = "uid";
  private static final String OWNERS = "ownerReferences";

  private final ObjectClient objects;

  Patches(ObjectClient objects) {
    this.objects = objects;
  }

  boolean removeOwners(ObjectReference object, Set<String> uids) {
    var removals = new ArrayList<Map<String, Object>>();
    for (var uid : uids) {
      removals.add(Map.of("$patch", "delete", UID, uid));
    }
    return change(
        object,
        removals,
        live -> live.ownerReferences().stream().filter(owner -> !isOneOf(owner, uids)).toList());
  }

  private static boolean isOneOf(Map<String, Object> owner, Set<String> uids) {
    return owner.get(UID) instanceof String uid && uids.contains(uid);
  }

  /** Clears {@code blockOwnerDeletion} in all owner references. */
  boolean unblockOwners(ObjectReference object, LiveObject seen) {
    var changes = new ArrayList<Map<String, Object>>();
    for (var owner : seen.ownerReferences()) {
      if (Boolean.TRUE.equals(owner.get("blockOwnerDeletion"))) {
        changes.add(unblocked(owner));
      }
    }
    if (changes.isEmpty()) {
      return true;
    }
    return change(
        object, changes, live -> live.ownerReferences().stream().map(Patches::unblocked).toList());
  }

  private static Map<String, Object> unblocked(Map<String, Object> owner) {
    var changed = new HashMap<>(owner);
    changed.put("blockOwnerDeletion", false);
    return changed;
  }

  boolean removeFinalizer(ObjectReference object, String finalizer) {
    for (int i = 0; i < TRIES; i++) {
      var live = live(object);
      if (live.isEmpty() || !live.get().finalizers().contains(finalizer)) {
        return true;
      }
      var kept = live.get().finalizers().stream().filter(each -> !each.equals(finalizer)).toList();
      var outcome = objects.mergePatch(object, patch(live.get(), "finalizers", kept));
      if (outcome != Outcome.CONFLICT) {
        return isOver(outcome);
      }
    }
    return false;
  }

  private boolean change(
      ObjectReference object,
      List<Map<String, Object>> byUid,
      Function<LiveObject, List<Map<String, Object>>> whole) {
    var outcome =
        objects.patch(object, Map.of("metadata", Map.of(UID, object.uid(), OWNERS, byUid)));
    if (outcome == Outcome.CONFLICT) {
      return live(object).isEmpty();
    }
    if (outcome != Outcome.UNSUPPORTED) {
      return isOver(outcome);
    }
    for (int i = 0; i < TRIES; i++) {
      var live = live(object);
      if (live.isEmpty()) {
        return true;
      }
      var desired = whole.apply(live.get());
      if (Objects.equals(desired, live.get().ownerReferences())) {
        return true;
      }
      outcome = objects.mergePatch(object, patch(live.get(), OWNERS, desired));
      if (outcome != Outcome.CONFLICT) {
        return isOver(outcome);
      }
    }
    return false;
  }

  /** The object with that UID, if it exists. */
  private Optional<LiveObject> live(ObjectReference object) {
    return objects
        .get(object)
        .filter(found -> found.metadata().reference().uid().equals(object.uid()));
  }

  private static Map<String, Object> patch(LiveObject live, String field, Object value) {
    return Map.of("metadata", Map.of("resourceVersion", live.resourceVersion(), field, value));
  }

  private static boolean isOver(Outcome outcome) {
    return outcome == Outcome.DONE || outcome == Outcome.NOT_FOUND;
  }
}
