package dev.muster.cel.value;

import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * A version by semver.org.
 *
 * @param build is ignored in comparisons
 */
public record SemanticVersion(
    long major, long minor, long patch, List<String> preRelease, List<String> build)
    implements OpaqueValue, Comparable<SemanticVersion> {
  private static final Pattern DIGITS = Pattern.compile("[0-9]+");
  private static final Pattern IDENTIFIER = Pattern.compile("[0-9A-Za-z-]+");

  /**
   * Parses a version.
   *
   * @throws EvaluationException when it is invalid
   */
  public static SemanticVersion parse(String text) {
    if (text.isEmpty()) {
      throw new EvaluationException("Version string empty");
    }
    var parts = text.split("\\.", 3);
    if (parts.length != 3) {
      throw new EvaluationException("No Major.Minor.Patch elements found");
    }
    long major = number(parts[0], "Major");
    long minor = number(parts[1], "Minor");
    var rest = parts[2];
    var build = List.<String>of();
    int plus = rest.indexOf('+');
    if (plus >= 0) {
      build = List.of(rest.substring(plus + 1).split("\\.", -1));
      rest = rest.substring(0, plus);
    }
    var preRelease = List.<String>of();
    int dash = rest.indexOf('-');
    if (dash >= 0) {
      preRelease = List.of(rest.substring(dash + 1).split("\\.", -1));
      rest = rest.substring(0, dash);
    }
    long patch = number(rest, "Patch");
    for (var part : preRelease) {
      checkPreRelease(part);
    }
    for (var part : build) {
      if (part.isEmpty()) {
        throw new EvaluationException("Build meta data is empty");
      }
      if (!IDENTIFIER.matcher(part).matches()) {
        throw new EvaluationException(
            "Invalid character(s) found in build meta data \"" + part + '"');
      }
    }
    return new SemanticVersion(major, minor, patch, preRelease, build);
  }

  /** Parses a version that may begin with {@code v}, omit parts, or have leading zeros. */
  public static SemanticVersion parseTolerant(String text) {
    var parts = (text.startsWith("v") ? text.substring(1) : text).split("\\.", 3);
    for (int i = 0; i < parts.length; i++) {
      if (parts[i].length() > 1) {
        var stripped = parts[i].replaceFirst("^0+", "");
        parts[i] =
            stripped.isEmpty() || stripped.charAt(0) < '0' || stripped.charAt(0) > '9'
                ? "0" + stripped
                : stripped;
      }
    }
    var last = parts[parts.length - 1];
    if (parts.length < 3 && (last.contains("+") || last.contains("-"))) {
      throw new EvaluationException("short version cannot contain PreRelease/Build meta data");
    }
    return parse(String.join(".", parts) + ".0".repeat(3 - parts.length));
  }

  private static long number(String text, String which) {
    if (!DIGITS.matcher(text).matches()) {
      throw new EvaluationException(
          "Invalid character(s) found in "
              + which.toLowerCase(Locale.ROOT)
              + " number \""
              + text
              + '"');
    }
    if (text.length() > 1 && text.startsWith("0")) {
      throw new EvaluationException(
          which + " number must not contain leading zeroes \"" + text + '"');
    }
    try {
      return Long.parseUnsignedLong(text);
    } catch (NumberFormatException e) {
      throw new EvaluationException(
          "strconv.ParseUint: parsing \"" + text + "\": value out of range");
    }
  }

  private static void checkPreRelease(String part) {
    if (part.isEmpty()) {
      throw new EvaluationException("Prerelease is empty");
    }
    if (DIGITS.matcher(part).matches()) {
      if (part.length() > 1 && part.startsWith("0")) {
        throw new EvaluationException(
            "Numeric PreRelease version must not contain leading zeroes \"" + part + '"');
      }
    } else if (!IDENTIFIER.matcher(part).matches()) {
      throw new EvaluationException("Invalid character(s) found in prerelease \"" + part + '"');
    }
  }

  @Override
  public int compareTo(SemanticVersion other) {
    int order = Long.compareUnsigned(major, other.major);
    order = order == 0 ? Long.compareUnsigned(minor, other.minor) : order;
    order = order == 0 ? Long.compareUnsigned(patch, other.patch) : order;
    if (order != 0) {
      return order;
    }
    if (preRelease.isEmpty() || other.preRelease.isEmpty()) {
      return Boolean.compare(preRelease.isEmpty(), other.preRelease.isEmpty());
    }
    for (int i = 0; i < Math.min(preRelease.size(), other.preRelease.size()); i++) {
      order = comparePreRelease(preRelease.get(i), other.preRelease.get(i));
      if (order != 0) {
        return order;
      }
    }
    return Integer.compare(preRelease.size(), other.preRelease.size());
  }

  /** Numbers precede texts. */
  private static int comparePreRelease(String one, String other) {
    boolean number = DIGITS.matcher(one).matches();
    boolean otherNumber = DIGITS.matcher(other).matches();
    if (number && otherNumber) {
      int longer = Integer.compare(one.length(), other.length());
      return longer != 0 ? longer : one.compareTo(other);
    }
    return number == otherNumber ? one.compareTo(other) : number ? -1 : 1;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof SemanticVersion that && compareTo(that) == 0;
  }

  @Override
  public int hashCode() {
    return Long.hashCode(major * 31 + minor) * 31 + Long.hashCode(patch) + preRelease.hashCode();
  }

  @Override
  public String typeName() {
    return "kubernetes.Semver";
  }
}
