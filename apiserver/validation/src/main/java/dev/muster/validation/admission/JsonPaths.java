package dev.muster.validation.admission;

import dev.muster.model.gocompat.GoText;
import java.util.regex.Pattern;

/**
 * Validates JSONPaths in the form of {@code kubectl -o jsonpath}, with the messages of Go's client.
 * Not thread-safe.
 */
final class JsonPaths {
  private static final Pattern KEY = Pattern.compile("'([^']*)'");
  private static final Pattern SLICE = Pattern.compile("(-?[0-9]*)(:-?[0-9]*)?(:-?[0-9]*)?");
  private static final Pattern COMPARISON = Pattern.compile("([^!<>=]+)([!<>=]+)(.+)");
  private static final Pattern NUMBER = Pattern.compile("[+-]?([0-9]+\\.?[0-9]*|\\.[0-9]+)");
  private static final Pattern ESCAPES =
      Pattern.compile(
          "([^\\\\]|\\\\([abfnrtv\\\\]|[0-3][0-7]{2}|x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}"
              + "|U[0-9a-fA-F]{8}))*");
  private static final int END = -1;

  private final String input;
  private int at;
  private boolean recursive;

  private JsonPaths(String input) {
    this.input = input;
  }

  /** The error in a path in braces, or "". */
  static String problem(String path) {
    return new JsonPaths("{" + path + "}").text();
  }

  private String text() {
    while (true) {
      int open = input.indexOf('{', at);
      if (open < 0) {
        return "";
      }
      at = open + 1;
      recursive = false;
      var problem = action();
      if (!problem.isEmpty()) {
        return problem;
      }
    }
  }

  private int next() {
    if (at >= input.length()) {
      return END;
    }
    int point = input.codePointAt(at);
    at += Character.charCount(point);
    return point;
  }

  private int peek() {
    return at >= input.length() ? END : input.codePointAt(at);
  }

  private String action() {
    while (true) {
      String problem;
      if (input.startsWith("}", at)) {
        at++;
        return "";
      } else if (input.startsWith("[?(", at)) {
        at += 3;
        recursive = false;
        problem = filter();
      } else if (input.startsWith("..", at)) {
        problem = descent();
      } else {
        problem = step(next());
      }
      if (!problem.isEmpty()) {
        return problem;
      }
    }
  }

  private String step(int point) {
    if (point == ' ' || point == '@' || point == '$') {
      return "";
    }
    recursive = false;
    return switch (point) {
      case END, '\r', '\n' -> "unclosed action";
      case '[' -> array();
      case '"', '\'' -> quoted(point);
      case '.' -> field();
      default -> {
        if (point == '+' || point == '-' || Character.isDigit(point)) {
          yield number(at - Character.charCount(point));
        }
        yield point == '_' || Character.isLetter(point)
            ? identifier()
            : "unrecognized character in action: " + GoText.codePoint(point);
      }
    };
  }

  private String identifier() {
    while (!isTerminator(peek())) {
      next();
    }
    return "";
  }

  private String descent() {
    if (recursive) {
      return "invalid multiple recursive descent";
    }
    at += 2;
    recursive = true;
    int point = peek();
    if (point == '_' || Character.isLetterOrDigit(point)) {
      recursive = false;
      return field();
    }
    return "";
  }

  private String field() {
    while (!isTerminator(peek())) {
      if (next() == '\\') {
        next();
      }
    }
    return "";
  }

  private String number(int start) {
    at = start + 1;
    while (peek() == '.' || Character.isDigit(peek())) {
      next();
    }
    var text = input.substring(start, at);
    return NUMBER.matcher(text).matches() ? "" : "cannot parse number " + text;
  }

  private String array() {
    int start = at;
    for (int point = next(); point != ']'; point = next()) {
      if (point == END || point == '\n') {
        return "unterminated array";
      }
    }
    var text = input.substring(start, at - 1);
    if (text.equals("*")) {
      return "";
    }
    if (text.indexOf(',') >= 0) {
      for (var part : text.split(",", -1)) {
        var problem = problem("[" + trimmed(part) + "]");
        if (!problem.isEmpty()) {
          return problem;
        }
      }
      return "";
    }
    var key = KEY.matcher(text);
    if (key.matches()) {
      return problem("." + key.group(1));
    }
    var slice = SLICE.matcher(text);
    if (!slice.matches()) {
      return "invalid array index " + text;
    }
    for (int i = 1; i <= 3; i++) {
      var part = slice.group(i);
      var digits = part == null ? "" : i > 1 ? part.substring(1) : part;
      if (!digits.isEmpty() && !isNumber(digits)) {
        return "array index " + digits + " is not a number";
      }
    }
    return "";
  }

  private static boolean isNumber(String text) {
    try {
      Long.parseLong(text);
      return true;
    } catch (NumberFormatException e) {
      return false;
    }
  }

  private static String trimmed(String text) {
    int start = 0;
    int end = text.length();
    while (start < end && text.charAt(start) == ' ') {
      start++;
    }
    while (end > start && text.charAt(end - 1) == ' ') {
      end--;
    }
    return text.substring(start, end);
  }

  private String filter() {
    int start = at;
    int pair = END;
    boolean closed = false;
    for (int point = next(); ; point = next()) {
      if (point == END || point == '\n') {
        return "unterminated filter";
      }
      if (point == '"' || point == '\'') {
        if (pair == END) {
          pair = point;
        } else if (point == pair && input.charAt(at - 2) != '\\') {
          closed = true;
        }
      } else if (point == ')' && (pair != END) == closed) {
        break;
      }
    }
    if (next() != ']') {
      return "unclosed array expect ]";
    }
    var text = input.substring(start, at - 2);
    var comparison = COMPARISON.matcher(text);
    if (!comparison.matches()) {
      return problem(text);
    }
    var left = problem(comparison.group(1));
    return left.isEmpty() ? problem(comparison.group(3)) : left;
  }

  private String quoted(int quote) {
    int start = at;
    for (int point = next(); ; point = next()) {
      if (point == END || point == '\n') {
        return "unterminated quoted string";
      }
      if (point == quote && input.charAt(at - 2) != '\\') {
        break;
      }
    }
    var content = input.substring(start, at - 1);
    var plain = content.replace("\\" + Character.toString(quote), "");
    return ESCAPES.matcher(plain).matches()
        ? ""
        : "unquote string " + input.substring(start - 1, at) + " error invalid syntax";
  }

  private static boolean isTerminator(int point) {
    return switch (point) {
      case END, ' ', '\t', '\r', '\n', '.', ',', '[', ']', '$', '@', '{', '}' -> true;
      default -> false;
    };
  }
}
