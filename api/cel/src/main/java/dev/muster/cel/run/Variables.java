package dev.muster.cel.run;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The variables of an evaluation. */
@FunctionalInterface
public interface Variables {
  Variables NONE = name -> null;

  /** The value of a variable, or null when there is no such variable. */
  @Nullable Object find(String name);

  static Variables of(Map<String, ?> values) {
    return values::get;
  }
}
