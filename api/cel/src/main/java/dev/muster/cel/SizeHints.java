package dev.muster.cel;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Provides the maximum sizes of the values of variables. */
@FunctionalInterface
public interface SizeHints {
  /**
   * The size of a string, list or map, or null when it is unknown.
   *
   * @param path a variable, followed by field names, {@code @items}, {@code @keys} and
   *     {@code @values}; never empty
   */
  @Nullable CostRange size(List<String> path);
}
