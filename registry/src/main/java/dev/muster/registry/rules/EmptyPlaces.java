package dev.muster.registry.rules;

import dev.muster.model.json.JsonObject;
import java.util.List;
import java.util.stream.Stream;

/** Where an empty list or map is refused though none would be accepted. */
public final class EmptyPlaces {
  /** What the metadata of a template may not have. */
  public static final List<EmptyPlace> IN_TEMPLATE_METADATA =
      Stream.of("ownerReferences", "finalizers", "managedFields").map(EmptyPlace::at).toList();

  public static final List<EmptyPlace> IN_POD_SPEC =
      Stream.concat(
              IN_TEMPLATE_METADATA.stream()
                  .map(place -> place.below("volumes[].ephemeral.volumeClaimTemplate.metadata")),
              Stream.of(
                      "resources.claims",
                      "ephemeralContainers[].ports",
                      "ephemeralContainers[].resizePolicy",
                      "ephemeralContainers[].resources.limits",
                      "ephemeralContainers[].resources.requests",
                      "ephemeralContainers[].resources.claims")
                  .map(EmptyPlace::at))
          .toList();

  private EmptyPlaces() {}

  /** The object without what is empty at these places. */
  public static JsonObject dropped(List<EmptyPlace> places, JsonObject object) {
    var dropped = object;
    for (var place : places) {
      dropped = place.dropped(dropped);
    }
    return dropped;
  }
}
