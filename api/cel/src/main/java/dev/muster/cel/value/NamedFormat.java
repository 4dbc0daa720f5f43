package dev.muster.cel.value;

import java.util.List;
import java.util.function.Function;

/**
 * A form that texts can have, such as that of a label's value.
 *
 * @param patternSize how long the pattern is that costs are counted by
 * @param problems says what is wrong with a text; nothing when it has the form
 */
public record NamedFormat(String name, int patternSize, Function<String, List<String>> problems)
    implements OpaqueValue {
  @Override
  public String typeName() {
    return "kubernetes.NamedFormat";
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof NamedFormat that && name.equals(that.name);
  }

  @Override
  public int hashCode() {
    return name.hashCode();
  }
}
