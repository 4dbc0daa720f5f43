package dev.muster.replica.object;

import dev.muster.wire.JsonScanner;
import java.util.function.Function;

/**
 * A field with an index, such as the node of a pod. Each object's value is read once, when the
 * applier decodes the object.
 *
 * @param field the name in field selectors, such as {@code spec.nodeName}
 * @param value the field of an object, "" when it is not set; depends only on the object
 */
public record IndexedField(String field, Function<StoredObject, String> value) {

  /** A string at a path of object keys such as {@code spec.nodeName}, found without parsing. */
  public static IndexedField at(String path) {
    var keys = path.split("\\.", -1);
    return new IndexedField(path, object -> JsonScanner.string(object.json(), keys));
  }

  /**
   * The namespace and name in a reference such as {@code spec.claimRef}, separated by a slash; ""
   * when there is no such reference.
   */
  public static IndexedField reference(String path) {
    var namespace = (path + ".namespace").split("\\.", -1);
    var name = (path + ".name").split("\\.", -1);
    return new IndexedField(
        path,
        object -> {
          var named = JsonScanner.string(object.json(), name);
          return named.isEmpty() ? "" : JsonScanner.string(object.json(), namespace) + "/" + named;
        });
  }
}
