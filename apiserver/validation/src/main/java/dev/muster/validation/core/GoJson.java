package dev.muster.validation.core;

import dev.muster.wire.JsonScanner;
import dev.muster.wire.JsonSyntax;

/** Error messages of Go's JSON decoder for texts that should contain an object or a list. */
public final class GoJson {
  private static final int MAX_DEPTH = 10_000;

  private GoJson() {}

  /**
   * The message, or "" when the text is an object (or null).
   *
   * @param type the Go name of the expected type
   */
  public static String problem(byte[] text, String type) {
    return problem(text, '{', type);
  }

  /** The message for a text that should be a list. */
  public static String problemOfList(byte[] text, String type) {
    return problem(text, '[', type);
  }

  private static String problem(byte[] text, int wanted, String type) {
    var complaint = JsonSyntax.complaint(text, 0, text.length, MAX_DEPTH);
    if (!complaint.isEmpty()) {
      return complaint;
    }
    int first = text[JsonScanner.afterSpace(text, 0, text.length)];
    if (first == wanted || first == 'n') {
      return "";
    }
    return switch (first) {
      case '{' -> mismatch("object", type);
      case '[' -> mismatch("array", type);
      case '"' -> mismatch("string", type);
      case 't', 'f' -> mismatch("bool", type);
      default -> mismatch("number", type);
    };
  }

  private static String mismatch(String kind, String type) {
    return "json: cannot unmarshal " + kind + " into Go value of type " + type;
  }
}
