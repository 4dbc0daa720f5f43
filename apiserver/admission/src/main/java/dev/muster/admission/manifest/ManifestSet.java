package dev.muster.admission.manifest;

import dev.muster.model.json.JsonObject;
import java.util.List;

/**
 * The manifests of one plugin, by name. Immutable.
 *
 * @param objects webhook configurations or policies
 * @param bindings of the policies
 * @param hash of all files, or "" when they are empty
 */
public record ManifestSet(List<JsonObject> objects, List<JsonObject> bindings, String hash) {
  public static final ManifestSet EMPTY = new ManifestSet(List.of(), List.of(), "");

  public ManifestSet {
    objects = List.copyOf(objects);
    bindings = List.copyOf(bindings);
  }
}
