package dev.muster.cel.value;

import java.util.List;
import java.util.function.Function;

/**
 * A named string format, such as that of label values.
 *
 * @param patternSize the length of the pattern, which determines the costs
 * @param problems returns the errors of a string; empty when it has the format
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
