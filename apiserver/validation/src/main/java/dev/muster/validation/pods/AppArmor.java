package dev.muster.validation.pods;

import dev.muster.model.json.Json;
import dev.muster.model.json.JsonObject;
import org.jspecify.annotations.Nullable;

/** Translates AppArmor annotations, the former way to set a container's profile, to fields. */
final class AppArmor {
  static final String ANNOTATION = "container.apparmor.security.beta.kubernetes.io/";
  static final String LOCALHOST = "localhost/";
  private static final int LONGEST_PROFILE = 4095;

  private AppArmor() {}

  /** The profile in an annotation, or null when it is invalid. */
  static @Nullable JsonObject profile(String annotation) {
    return switch (annotation) {
      case "unconfined" -> JsonObject.of("type", "Unconfined");
      case "runtime/default" -> JsonObject.of("type", "RuntimeDefault");
      default -> {
        var name = annotation.startsWith(LOCALHOST) ? annotation.substring(LOCALHOST.length()) : "";
        yield name.isBlank() || !name.strip().equals(name) || name.length() > LONGEST_PROFILE
            ? null
            : JsonObject.of("type", "Localhost", "localhostProfile", name);
      }
    };
  }

  /** The spec with the profiles of the annotations in containers without a profile. */
  static JsonObject withProfiles(JsonObject spec, JsonObject annotations) {
    if (annotations.keys().stream().noneMatch(key -> key.startsWith(ANNOTATION))
        || spec.object("os").string("name").equals("windows")) {
      return spec;
    }
    var ofPod = spec.object("securityContext").get("appArmorProfile");
    var result = spec;
    for (var list : DisabledFields.CONTAINER_LISTS) {
      result =
          DisabledFields.eachIn(
              result, list, container -> withProfile(container, annotations, ofPod));
    }
    return result;
  }

  private static JsonObject withProfile(
      JsonObject container, JsonObject annotations, @Nullable Json ofPod) {
    var key = ANNOTATION + container.string("name");
    if (!annotations.has(key) || container.object("securityContext").has("appArmorProfile")) {
      return container;
    }
    var profile = profile(annotations.string(key));
    return profile == null || (ofPod != null && profile.equals(ofPod))
        ? container
        : container.withAt(profile, "securityContext", "appArmorProfile");
  }
}
