package dev.muster.registry.rules.workloads;

import java.util.Locale;
import java.util.regex.Pattern;

/** The name of a container image, as container runtimes read it. */
final class ImageReference {
  private static final String DEFAULT_DOMAIN = "docker.io";
  private static final Pattern IDENTIFIER = Pattern.compile("[a-f0-9]{64}");
  private static final String LABEL = "(?:[a-zA-Z0-9]|[a-zA-Z0-9][a-zA-Z0-9-]*[a-zA-Z0-9])";
  private static final String DOMAIN =
      "(?:" + LABEL + "(?:\\." + LABEL + ")*|\\[[a-fA-F0-9:]+\\])(?::[0-9]+)?";
  private static final String PART = "[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*";
  private static final Pattern REFERENCE =
      Pattern.compile(
          DOMAIN
              + "/"
              + PART
              + "(?:/"
              + PART
              + ")*"
              + "(?::(\\w[\\w.-]{0,127}))?"
              + "(@[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,})?");

  private ImageReference() {}

  /** Whether it names the newest image: by that tag, or because it has neither tag nor digest. */
  static boolean isLatest(String image) {
    if (IDENTIFIER.matcher(image).matches()) {
      return false;
    }
    int slash = image.indexOf('/');
    var first = slash < 0 ? "" : image.substring(0, slash);
    boolean hasDomain =
        first.indexOf('.') >= 0
            || first.indexOf(':') >= 0
            || first.equals("localhost")
            || !first.toLowerCase(Locale.ROOT).equals(first);
    var full = hasDomain ? image : DEFAULT_DOMAIN + "/" + image;
    var matcher = REFERENCE.matcher(full);
    if (!matcher.matches()) {
      return false;
    }
    var tag = matcher.group(1);
    return tag == null ? matcher.group(2) == null : tag.equals("latest");
  }
}
