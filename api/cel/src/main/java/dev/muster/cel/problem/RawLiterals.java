package dev.muster.cel.problem;

import cel.parser.internal.CELLexer;
import org.antlr.v4.runtime.CharStreams;
import org.antlr.v4.runtime.Token;

/**
 * Handles raw strings such as {@code r'\'}, in which the library wrongly reads the backslash as an
 * escape.
 */
public final class RawLiterals {
  private RawLiterals() {}

  /** The expression with such backslashes replaced by other characters of the same length. */
  public static String masked(String expression) {
    var lexer = new CELLexer(CharStreams.fromString(expression));
    lexer.removeErrorListeners();
    var points = expression.codePoints().toArray();
    for (var token = lexer.nextToken(); token.getType() != Token.EOF; token = lexer.nextToken()) {
      if (isRaw(token)) {
        for (int i = token.getStartIndex(); i <= token.getStopIndex(); i++) {
          points[i] = points[i] == '\\' ? '_' : points[i];
        }
      }
    }
    return new String(points, 0, points.length);
  }

  private static boolean isRaw(Token token) {
    if (token.getType() != CELLexer.STRING && token.getType() != CELLexer.BYTES) {
      return false;
    }
    var text = token.getText();
    int i = 0;
    while (text.charAt(i) != '\'' && text.charAt(i) != '"') {
      if (text.charAt(i) == 'r' || text.charAt(i) == 'R') {
        return true;
      }
      i++;
    }
    return false;
  }
}
