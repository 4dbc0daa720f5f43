package dev.muster.registry.write;

import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonObject;
import dev.muster.types.ObjectMeta;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.function.Consumer;

/** Removes duplicate owner references, with a warning. */
final class OwnerReferences {
  private OwnerReferences() {}

  /**
   * @param patched whether a patch made the object. Upstream checks patch results only after
   *     admission, and words the warning accordingly
   */
  static JsonObject deduplicate(JsonObject object, boolean patched, Consumer<String> warnings) {
    var references = object.object("metadata").array("ownerReferences");
    if (references.size() < 2) {
      return object;
    }
    var seen = new HashSet<Json>();
    var kept = new ArrayList<Json>();
    var repeated = new ArrayList<String>();
    for (var reference : references) {
      var uid = reference instanceof JsonObject owner ? owner.string("uid") : "";
      if (seen.add(reference)) {
        kept.add(reference);
      } else {
        repeated.add(uid);
      }
    }
    if (!repeated.isEmpty()) {
      warnings.accept(
          ".metadata.ownerReferences contains duplicate entries"
              + (patched ? " after mutating admission happens" : "")
              + "; API server dedups owner references in 1.20+, and may reject such requests as"
              + " early as 1.24; please fix your requests; duplicate UID(s) observed: "
              + String.join(", ", repeated));
    }
    return kept.size() == references.size()
        ? object
        : ObjectMeta.with(object, "ownerReferences", JsonArray.of(kept));
  }
}
