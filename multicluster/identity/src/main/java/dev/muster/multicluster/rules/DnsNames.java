package dev.muster.multicluster.rules;

import java.util.regex.Pattern;

/** Validates RFC 1123 names in lower case, as Kubernetes requires. */
public final class DnsNames {
  /** The limit of a whole name, without a final dot. */
  public static final int LONGEST_NAME = 253;

  /** The limit of one label. */
  public static final int LONGEST_LABEL = 63;

  private static final Pattern LABEL = Pattern.compile("[a-z0-9]([a-z0-9-]*[a-z0-9])?");

  private DnsNames() {}

  public static boolean isLabel(String text) {
    return text.length() <= LONGEST_LABEL && LABEL.matcher(text).matches();
  }

  /** Whether the text consists of valid labels joined by dots. */
  public static boolean isSubdomain(String text) {
    if (text.isEmpty() || text.length() > LONGEST_NAME) {
      return false;
    }
    for (var label : text.split("\\.", -1)) {
      if (!isLabel(label)) {
        return false;
      }
    }
    return true;
  }
}
