package dev.muster.cel;

import java.util.Set;

/** The identifiers that expressions can use. */
public final class Identifiers {
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

  /** Whether the word is reserved by the language. */
  public static boolean isReserved(String name) {
    return RESERVED.contains(name);
  }

  /** Whether the text has the form of an identifier; reserved words do, too. */
  public static boolean isWellFormed(String name) {
    for (int i = 0; i < name.length(); i++) {
      char c = name.charAt(i);
      boolean letter = c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
      boolean digit = c >= '0' && c <= '9';
      if (!letter && (!digit || i == 0)) {
        return false;
      }
    }
    return !name.isEmpty();
  }
}
