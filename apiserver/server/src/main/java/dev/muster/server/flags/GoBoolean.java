package dev.muster.server.flags;

/** What Go's ParseBool takes. */
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
