package dev.muster.schema;

import java.util.List;

/**
 * A list, and how server-side apply merges it.
 *
 * @param keys the fields that tell the members of a {@link Kind#MAP} list apart
 */
public record ListShape(Shape items, Kind kind, List<String> keys) implements Shape {
  /** The values of {@code x-kubernetes-list-type}. */
  public enum Kind {
    ATOMIC,
    SET,
    MAP
  }

  public ListShape {
    keys = List.copyOf(keys);
  }
}
