package dev.muster.server.flags;

/** Parses booleans like Go's {@code ParseBool}. */
final class GoBoolean {
  private GoBoolean() {}

  static boolean parse(String flag, String text) {
    return switch (text) {
      case "true", "True", "TRUE", "t", "T", "1" -> true;
      case "false", "False", "FALSE", "f", "F", "0" -> false;
      default ->
          throw new FlagException("--" + flag + ": \"" + text + "\" is neither true nor false");
    };
  }
}
