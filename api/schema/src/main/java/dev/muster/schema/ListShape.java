package dev.muster.schema;

import java.util.List;

/**
 * A list, and how server-side apply merges it.
 *
 * @param keys the fields that identify the items of a {@link Kind#MAP} list
 * @param declared whether the OpenAPI document declares the kind; an undeclared list is atomic
 * @param wrapped whether protobuf encodes it as a message of its own
 */
public record ListShape(
    Shape items, Kind kind, List<String> keys, boolean declared, boolean wrapped) implements Shape {
  /** The values of {@code x-kubernetes-list-type}. */
  public enum Kind {
    ATOMIC,
    SET,
    MAP
  }

  public ListShape {
    keys = List.copyOf(keys);
  }

  public ListShape(Shape items, Kind kind, List<String> keys) {
    this(items, kind, keys, true, false);
  }
}
