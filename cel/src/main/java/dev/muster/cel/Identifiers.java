package dev.muster.cel;

import java.util.Set;
import java.util.regex.Pattern;

/** The names that expressions can use. */
public final class Identifiers {
  private static final Pattern FORM = Pattern.compile("[_a-zA-Z][_a-zA-Z0-9]*");
  private static final Set<String> RESERVED =
      Set.of(
          "true",
          "false",
          "null",
          "in",
          "as",
          "break",
          "const",
          "continue",
          "else",
          "for",
          "function",
          "if",
          "import",
          "let",
          "loop",
          "package",
          "namespace",
          "return",
          "var",
          "void",
          "while");

  private Identifiers() {}

  /** Whether that is a word of the language, so that nothing can have it as its name. */
  public static boolean isReserved(String name) {
    return RESERVED.contains(name);
  }

  /** Whether that has the form of a name; a reserved word has it too. */
  public static boolean isWellFormed(String name) {
    return FORM.matcher(name).matches();
  }
}
