package dev.muster.schema;

import java.util.List;

/**
 * A list, and how server-side apply merges it.
 *
 * @param keys the fields that tell the members of a {@link Kind#MAP} list apart
 * @param declared whether the OpenAPI document says the kind; one that is not said is atomic
 * @param wrapped whether protobuf holds it in a message of its own
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
