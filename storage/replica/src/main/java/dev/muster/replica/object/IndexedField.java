package dev.muster.replica.object;

import dev.muster.wire.JsonScanner;
import java.util.function.Function;

/**
 * A field by which a collection is looked up often, such as the node of a pod. Its value is taken
 * from every object of that collection once, when the object is applied.
 *
 * @param field the field selector's name, such as {@code spec.nodeName}
 * @param value the field of an object, "" when it is not set; depends on the object alone
 */
public record IndexedField(String field, Function<StoredObject, String> value) {

  /** A string at a path of object keys such as {@code spec.nodeName}; found without parsing. */
  public static IndexedField at(String path) {
    var keys = path.split("\\.", -1);
    return new IndexedField(path, object -> JsonScanner.string(object.json(), keys));
  }

  /**
   * The namespace and the name in a reference such as {@code spec.claimRef}, with a slash between
   * them; "" when there is no such reference.
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
