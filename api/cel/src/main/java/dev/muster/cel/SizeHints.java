package dev.muster.cel;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Knows how large the values can be that the variables of an expression hold. */
@FunctionalInterface
public interface SizeHints {
  /**
   * The size of a text, list or map, or null where nothing is known.
   *
   * @param path a variable, and from there names of fields, {@code @items}, {@code @keys} and
   *     {@code @values}; never empty
   */
  @Nullable CostRange size(List<String> path);
}
