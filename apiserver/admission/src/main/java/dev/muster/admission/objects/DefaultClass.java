package dev.muster.admission.objects;

import dev.muster.model.Timestamps;
import dev.muster.model.json.JsonObject;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Selects the default class: the newest one with the annotation, by name among equals. */
final class DefaultClass {
  private static final Comparator<JsonObject> NEWEST_FIRST =
      Comparator.comparing(DefaultClass::created)
          .reversed()
          .thenComparing(object -> object.object("metadata").string("name"));

  private DefaultClass() {}

  static @Nullable String among(List<JsonObject> classes, String... annotations) {
    return classes.stream()
        .filter(object -> isMarked(object, annotations))
        .min(NEWEST_FIRST)
        .map(object -> object.object("metadata").string("name"))
        .orElse(null);
  }

  private static boolean isMarked(JsonObject object, String... annotations) {
    for (var annotation : annotations) {
      if (object.object("metadata", "annotations").string(annotation).equals("true")) {
        return true;
      }
    }
    return false;
  }

  private static Instant created(JsonObject object) {
    var time = Timestamps.read(object.object("metadata").get("creationTimestamp"));
    return time == null ? Instant.EPOCH : time;
  }
}
