package dev.muster.controllers.endpoints;

import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonObject;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Divides endpoints among slices with as few writes as possible. Each endpoint stays in its slice.
 * New endpoints go first into slices that are written anyway, then into the fullest slice with room
 * for all of them, then into new slices.
 */
final class SlicePacking {
  private final JsonObject template;
  private final int most;

  /**
   * @param template a slice without endpoints, with the labels and ports of all slices
   * @param most the largest number of endpoints in a slice
   */
  SlicePacking(JsonObject template, int most) {
    this.template = template;
    this.most = most;
  }

  /** The fields of an endpoint that identify it. */
  private record Identity(List<String> addresses, String hostname, String namespace, String name) {
    static Identity of(JsonObject endpoint) {
      var target = endpoint.object("targetRef");
      return new Identity(
          endpoint.array("addresses").strings().stream().sorted().toList(),
          endpoint.string("hostname"),
          target.string("namespace"),
          target.string("name"));
    }
  }

  /** A slice with its future endpoints. */
  private record Draft(@Nullable JsonObject old, List<JsonObject> endpoints) {}

  void pack(List<JsonObject> existing, Collection<JsonObject> desired, SliceChanges changes) {
    var missing = new LinkedHashMap<Identity, JsonObject>();
    desired.forEach(endpoint -> missing.put(Identity.of(endpoint), endpoint));
    var touched = new ArrayList<Draft>();
    var untouched = new ArrayList<Draft>();
    for (var slice : existing) {
      var kept = new ArrayList<JsonObject>();
      boolean changed =
          slice.array("endpoints").isEmpty()
              || !labels(slice).equals(labels(template))
              || !sameMetadata(slice);
      for (var endpoint : slice.array("endpoints").objects()) {
        var wanted = missing.remove(Identity.of(endpoint));
        if (wanted == null) {
          changed = true;
        } else if (isSame(endpoint, wanted)) {
          kept.add(endpoint);
        } else {
          kept.add(wanted);
          changed = true;
        }
      }
      (changed ? touched : untouched).add(new Draft(slice, kept));
    }
    var rest = new ArrayDeque<>(missing.values());
    touched.sort(Comparator.comparingInt((Draft draft) -> draft.endpoints().size()).reversed());
    touched.forEach(draft -> fill(draft, rest));
    while (!rest.isEmpty()) {
      var draft = fullestWithRoom(untouched, rest.size());
      if (draft == null) {
        draft = new Draft(null, new ArrayList<>());
      } else {
        untouched.remove(draft);
      }
      fill(draft, rest);
      touched.add(draft);
    }
    for (var draft : touched) {
      var old = draft.old();
      if (draft.endpoints().isEmpty()) {
        if (old != null) {
          changes.delete().add(old);
        }
      } else if (old == null) {
        changes.create().add(template.with("endpoints", JsonArray.of(draft.endpoints())));
      } else {
        changes.update().add(rewritten(old, draft.endpoints()));
      }
    }
  }

  private void fill(Draft draft, Deque<JsonObject> rest) {
    while (!rest.isEmpty() && draft.endpoints().size() < most) {
      draft.endpoints().add(rest.pop());
    }
  }

  private @Nullable Draft fullestWithRoom(List<Draft> drafts, int count) {
    return drafts.stream()
        .filter(draft -> draft.endpoints().size() + count <= most)
        .max(Comparator.comparingInt(draft -> draft.endpoints().size()))
        .orElse(null);
  }

  private JsonObject rewritten(JsonObject old, List<JsonObject> endpoints) {
    var wanted = template.object("metadata");
    var metadata = old.object("metadata").with("labels", wanted.object("labels"));
    if (wanted.has("annotations")) {
      metadata = metadata.with("annotations", wanted.object("annotations"));
    }
    return old.with("metadata", metadata).with("endpoints", JsonArray.of(endpoints));
  }

  private static JsonObject labels(JsonObject slice) {
    return slice.object("metadata").object("labels");
  }

  /** Annotations are compared only if the template has any; the trigger time is never compared. */
  private boolean sameMetadata(JsonObject slice) {
    var wanted = template.object("metadata");
    return !wanted.has("annotations")
        || wanted
            .object("annotations")
            .equals(
                slice.object("metadata").object("annotations").without(TriggerTimes.ANNOTATION));
  }

  /** Ignores hints, which are set afterwards. */
  static boolean isSame(JsonObject one, JsonObject other) {
    return normal(one).equals(normal(other));
  }

  private static JsonObject normal(JsonObject endpoint) {
    var target = endpoint.object("targetRef");
    return endpoint
        .without("hints")
        .without("deprecatedTopology")
        .with("targetRef", target.without("resourceVersion"));
  }
}
