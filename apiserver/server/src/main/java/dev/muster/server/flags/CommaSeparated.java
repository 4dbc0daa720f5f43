package dev.muster.server.flags;

import java.util.ArrayList;
import java.util.List;

/**
 * Splits a list as Go programs do: at commas, keeping blanks and empty elements. An element in
 * double quotes may contain commas and doubled quotes.
 */
final class CommaSeparated {
  private CommaSeparated() {}

  /**
   * The elements; none for the empty text.
   *
   * @throws IllegalArgumentException when a quote is misplaced
   */
  static List<String> elements(String text) {
    var elements = new ArrayList<String>();
    for (int from = 0; !text.isEmpty() && from <= text.length(); ) {
      boolean quoted = from < text.length() && text.charAt(from) == '"';
      int end = quoted ? closingQuote(text, from) + 1 : comma(text, from);
      var element = quoted ? text.substring(from + 1, end - 1) : text.substring(from, end);
      boolean goesOn = end < text.length() && text.charAt(end) != ',';
      if (goesOn || (!quoted && element.contains("\""))) {
        throw misplaced(text);
      }
      elements.add(element.replace("\"\"", "\""));
      from = end + 1;
    }
    return elements;
  }

  private static int comma(String text, int from) {
    int comma = text.indexOf(',', from);
    return comma < 0 ? text.length() : comma;
  }

  private static int closingQuote(String text, int opening) {
    int at = text.indexOf('"', opening + 1);
    while (at >= 0 && at + 1 < text.length() && text.charAt(at + 1) == '"') {
      at = text.indexOf('"', at + 2);
    }
    if (at < 0) {
      throw misplaced(text);
    }
    return at;
  }

  private static IllegalArgumentException misplaced(String text) {
    return new IllegalArgumentException("'" + text + "' has a quote where none may stand");
  }
}
