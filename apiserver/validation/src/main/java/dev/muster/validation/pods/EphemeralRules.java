package dev.muster.validation.pods;

import dev.muster.model.gocompat.GoText;
import dev.muster.model.json.JsonObject;
import dev.muster.model.validation.FieldError;
import dev.muster.model.validation.FieldPath;
import dev.muster.validation.Difference;
import dev.muster.validation.FieldCursor;
import dev.muster.validation.Rules;
import java.util.HashMap;
import java.util.List;

/** Rules of the {@code ephemeralcontainers} subresource, which adds containers to a running pod. */
public final class EphemeralRules {
  private static final String FIELD = "ephemeralContainers";

  private EphemeralRules() {}

  /** The old pod with the new ephemeral containers; all other changes are dropped. */
  public static JsonObject prepare(JsonObject pod, JsonObject old) {
    var spec = PodParts.keeping(old.object("spec"), pod.object("spec"), FIELD);
    return PodParts.withSpec(pod, old, spec);
  }

  public static void validate(JsonObject object, JsonObject old, List<FieldError> errors) {
    var pod = FieldCursor.of(object, old, errors);
    PodParts.metadata(pod);
    if (pod.at("metadata", "annotations").before().has(PodParts.MIRROR)) {
      errors.add(
          FieldError.forbidden(
              FieldPath.NAMELESS, "static pods do not support ephemeral containers"));
      return;
    }
    Rules.metadataUpdate().check(pod);
    PodRules.checked(pod);
    PodUpdates.annotations(pod);
    var containers = pod.at("spec", FIELD);
    var now = new HashMap<String, JsonObject>();
    containers.array().objects().forEach(container -> now.put(container.string("name"), container));
    for (var before : containers.before().array().objects()) {
      var name = before.string("name");
      var found = now.get(name);
      if (found == null || !before.equals(found)) {
        containers.forbidden(
            "existing ephemeral containers "
                + GoText.quote(name)
                + " may not be "
                + (found == null ? "removed\n" : "changed" + Difference.between(before, found)));
      }
    }
  }
}
