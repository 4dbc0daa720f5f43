package dev.muster.validation.pods.containers;

import dev.muster.model.json.Json;
import dev.muster.validation.FieldCursor;
import dev.muster.validation.storage.VolumeSources;

/** Validates the paths and modes of files in a pod's volumes. */
public final class PodFiles {
  private static final long MOST_MODE = 0777;

  private PodFiles() {}

  public static void fileMode(FieldCursor mode) {
    if (mode.isPresent() && (mode.integer() < 0 || mode.integer() > MOST_MODE)) {
      mode.invalid("must be a number between 0 and 0777 (octal), both inclusive");
    }
  }

  /** Requires a relative path without {@code ..}. */
  public static void descending(FieldCursor shown, String path) {
    var place = shown.with(Json.of(path));
    if (path.startsWith("/")) {
      place.invalid("must be a relative path");
    }
    VolumeSources.noWayUp(place);
  }

  /**
   * Requires a relative path without {@code ..}, whose first segment does not begin with {@code
   * ..}.
   */
  public static void unreserved(FieldCursor shown, String path) {
    descending(shown, path);
    if (path.startsWith("..") && !path.startsWith("../")) {
      shown.invalid(Json.of(path), "must not start with '..'");
    }
  }
}
