package dev.muster.registry.read;

import dev.muster.model.ObjectName;
import dev.muster.types.select.SelectableFields;
import java.util.List;

/**
 * A property that every object has which a selection matches, and by which an index can find it.
 */
public sealed interface SelectionKey {
  /** One object, by namespace and name. */
  record Named(ObjectName name) implements SelectionKey {}

  /** A name in any namespace. */
  record Name(String name) implements SelectionKey {}

  /** A namespace. */
  record Namespace(String namespace) implements SelectionKey {}

  /**
   * The value of a field.
   *
   * @param fields reads the field
   */
  record Field(SelectableFields fields, String field, String value) implements SelectionKey {}

  /** One of several values of a label. */
  record Label(String key, List<String> values) implements SelectionKey {
    public Label {
      values = List.copyOf(values);
    }
  }
}
