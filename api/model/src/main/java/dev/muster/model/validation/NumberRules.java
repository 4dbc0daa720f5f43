package dev.muster.model.validation;

import java.util.List;

/** What is wrong with numbers, in kube-apiserver's words. */
public final class NumberRules {
  private NumberRules() {}

  /** A whole number of percent such as {@code 25%}. */
  public static List<String> percent(String value) {
    boolean form =
        value.length() > 1
            && value.endsWith("%")
            && value.chars().limit(value.length() - 1).allMatch(c -> c >= '0' && c <= '9');
    return form
        ? List.of()
        : List.of(
            Names.pattern(
                "a valid percent string must be a numeric string followed by an ending '%'",
                "[0-9]+%", "1%", "93%"));
  }

  /** The number of a port, which is not zero. */
  public static List<String> port(long value) {
    return range(value, 1, 65535);
  }

  /** A number between two others, both allowed. */
  public static List<String> range(long value, long least, long most) {
    return value >= least && value <= most
        ? List.of()
        : List.of("must be between " + least + " and " + most + ", inclusive");
  }

  /** The number of a user or group of Unix. */
  public static List<String> unixId(long value) {
    return range(value, 0, Integer.MAX_VALUE);
  }
}
