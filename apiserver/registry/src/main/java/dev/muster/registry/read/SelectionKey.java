package dev.muster.registry.read;

import dev.muster.model.ObjectName;
import dev.muster.types.select.SelectableFields;
import java.util.List;

/** Something that every object has which a selection chooses, and by which it can be found. */
public sealed interface SelectionKey {
  /** One object. */
  record Named(ObjectName name) implements SelectionKey {}

  /** A name, in whatever namespace. */
  record Name(String name) implements SelectionKey {}

  /** A namespace. */
  record Namespace(String namespace) implements SelectionKey {}

  /**
   * The value of a field.
   *
   * @param fields by which it is read
   */
  record Field(SelectableFields fields, String field, String value) implements SelectionKey {}

  /** One of some values of a label. */
  record Label(String key, List<String> values) implements SelectionKey {
    public Label {
      values = List.copyOf(values);
    }
  }
}
