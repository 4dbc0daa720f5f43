package dev.muster.validation.pods.containers;

import dev.muster.model.json.Json;
import dev.muster.validation.FieldCursor;
import dev.muster.validation.storage.VolumeSources;

/** Paths and modes of the files that a pod sees. */
public final class PodFiles {
  private static final long MOST_MODE = 0777;

  private PodFiles() {}

  public static void fileMode(FieldCursor mode) {
    if (mode.isPresent() && (mode.integer() < 0 || mode.integer() > MOST_MODE)) {
      mode.invalid("must be a number between 0 and 0777 (octal), both inclusive");
    }
  }

  /** A path below something, which does not lead upwards. */
  public static void descending(FieldCursor shown, String path) {
    var place = shown.with(Json.of(path));
    if (path.startsWith("/")) {
      place.invalid("must be a relative path");
    }
    VolumeSources.noWayUp(place);
  }

  /** The path leads down, and its first part does not start like the way upwards. */
  public static void unreserved(FieldCursor shown, String path) {
    descending(shown, path);
    if (path.startsWith("..") && !path.startsWith("../")) {
      shown.invalid(Json.of(path), "must not start with '..'");
    }
  }
}
