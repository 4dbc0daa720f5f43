package dev.muster.wire.yaml;

/**
 * Replaces tabs between the tokens of a text that is one flow mapping or sequence, such as JSON
 * with comments. kube-apiserver's parser treats tabs as spaces; SnakeYAML accepts a tab alone, but
 * not before a space.
 */
final class FlowTabs {
  private final String text;
  private final StringBuilder result;
  private int at;

  private FlowTabs(String text) {
    this.text = text;
    this.result = new StringBuilder(text);
  }

  /** The text with spaces in place of such tabs, or the same text when it has none. */
  static String asSpaces(String text) {
    return text.indexOf('\t') >= 0 && isFlow(text) ? new FlowTabs(text).replaced() : text;
  }

  private static boolean isFlow(String text) {
    var start = text.stripLeading();
    return start.startsWith("{") || start.startsWith("[");
  }

  private String replaced() {
    boolean betweenTokens = false; // in a block until the first bracket
    for (; at < text.length(); at++) {
      switch (text.charAt(at)) {
        case '\t' -> {
          if (betweenTokens) {
            result.setCharAt(at, ' ');
          }
        }
        case ' ' -> {}
        case '\n', '\r', '{', '}', '[', ']', ',', ':' -> betweenTokens = true;
        case '"' -> {
          if (betweenTokens) {
            skipTo('"');
          }
        }
        case '\'' -> {
          // Two quotes in a row end one text and start the next; treating them so gives the same
          // result.
          if (betweenTokens) {
            skipTo('\'');
          }
        }
        case '#' -> {
          if (at == 0 || text.charAt(at - 1) <= ' ') {
            skipTo('\n');
            betweenTokens = true;
          } else {
            betweenTokens = false;
          }
        }
        default -> betweenTokens = false;
      }
    }
    return result.toString();
  }

  /** Moves to the end of the token that starts here. */
  private void skipTo(char end) {
    for (at++; at < text.length() && text.charAt(at) != end; at++) {
      if (end == '"' && text.charAt(at) == '\\') {
        at++;
      }
    }
  }
}
