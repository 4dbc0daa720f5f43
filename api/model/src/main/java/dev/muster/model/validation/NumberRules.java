package dev.muster.model.validation;

import java.util.List;

/** Validates numbers with kube-apiserver's messages. */
public final class NumberRules {
  private NumberRules() {}

  /** An integer percentage such as {@code 25%}. */
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

  /** A port number, which is not zero. */
  public static List<String> port(long value) {
    return range(value, 1, 65535);
  }

  /** A number between two limits, both included. */
  public static List<String> range(long value, long least, long most) {
    return value >= least && value <= most
        ? List.of()
        : List.of("must be between " + least + " and " + most + ", inclusive");
  }

  /** The ID of a Unix user or group. */
  public static List<String> unixId(long value) {
    return range(value, 0, Integer.MAX_VALUE);
  }
}
