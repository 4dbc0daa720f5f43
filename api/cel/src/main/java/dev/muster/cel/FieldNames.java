package dev.muster.cel;

import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Escapes field names for expressions: {@code a-b} becomes {@code a__dash__b}. */
public final class FieldNames {
  private static final Pattern SPECIAL = Pattern.compile("__|[./-]");
  private static final Pattern ESCAPE = Pattern.compile("__(underscores|dot|dash|slash)__");
  private static final Map<String, String> ESCAPES =
      Map.of("__", "underscores", ".", "dot", "-", "dash", "/", "slash");

  private FieldNames() {}

  /** The escaped name of a field; null when expressions cannot access it. */
  public static @Nullable String escaped(String name) {
    if (Identifiers.isReserved(name)) {
      return "__" + name + "__";
    }
    if (Identifiers.isWellFormed(name) && !name.contains("__")) {
      return name;
    }
    var escaped =
        SPECIAL.matcher(name).replaceAll(found -> "__" + ESCAPES.get(found.group()) + "__");
    return Identifiers.isWellFormed(escaped) ? escaped : null;
  }

  /** The name of the field for an escaped name. */
  public static String unescaped(String name) {
    if (name.startsWith("__") && name.endsWith("__") && name.length() > 4) {
      var word = name.substring(2, name.length() - 2);
      if (Identifiers.isReserved(word)) {
        return word;
      }
    }
    if (name.indexOf("__") < 0) {
      return name;
    }
    return ESCAPE
        .matcher(name)
        .replaceAll(
            found ->
                switch (found.group(1)) {
                  case "underscores" -> "__";
                  case "dot" -> ".";
                  case "dash" -> "-";
                  default -> "/";
                });
  }
}
