package dev.muster.types;

import java.util.Comparator;
import java.util.regex.Pattern;

/**
 * Orders versions by preference: {@code v2}, {@code v1}, {@code v1beta2}, {@code v1alpha1}; then
 * names of another form, alphabetically.
 */
public final class VersionOrder implements Comparator<String> {
  public static final VersionOrder PREFERRED_FIRST = new VersionOrder();

  private static final Pattern FORM =
      Pattern.compile("v([1-9][0-9]{0,8})(?:(alpha|beta)([1-9][0-9]{0,8}))?");

  /** The parts of a version name; the greater one is preferred. */
  private record Parts(int maturity, int major, int minor) implements Comparable<Parts> {
    static final Parts UNUSUAL = new Parts(-1, 0, 0);

    static Parts of(String version) {
      var match = FORM.matcher(version);
      if (!match.matches()) {
        return UNUSUAL;
      }
      var level = match.group(2);
      return level == null
          ? new Parts(2, Integer.parseInt(match.group(1)), 0)
          : new Parts(
              level.equals("beta") ? 1 : 0,
              Integer.parseInt(match.group(1)),
              Integer.parseInt(match.group(3)));
    }

    @Override
    public int compareTo(Parts other) {
      int order = Integer.compare(maturity, other.maturity);
      order = order != 0 ? order : Integer.compare(major, other.major);
      return order != 0 ? order : Integer.compare(minor, other.minor);
    }
  }

  private VersionOrder() {}

  @Override
  public int compare(String a, String b) {
    int order = Parts.of(b).compareTo(Parts.of(a));
    return order != 0 ? order : a.compareTo(b);
  }
}
