package dev.muster.schema.cel;

import dev.cel.common.CelIssue;
import dev.muster.model.GoText;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Pattern;

/** Writes what is wrong with an expression as kube-apiserver writes it. */
final class ProblemText {
  private static final Pattern SYNTAX =
      Pattern.compile(
          "(mismatched input|no viable alternative|extraneous input|missing |token recognition)"
              + ".*",
          Pattern.DOTALL);
  private static final Pattern RESERVED =
      Pattern.compile("no viable alternative at input '.(true|false|null)'");
  private static final String TOO_DEEP = "expression recursion limit exceeded";
  private static final int MOST_SHOWN = 16384;

  /** More errors of one expression are counted, not told. */
  static final int MOST_ERRORS = 100;

  private static final String HAS = "invalid argument to has() macro";
  private static final String FOLLOWS = "Message type resolution failure";
  private static final Pattern CLOSED =
      Pattern.compile("type '(kubernetes\\.[A-Za-z.]+)' does not support field selection");

  /** A type that nothing in the expression says. */
  private static final Pattern OPEN = Pattern.compile("%[A-Za-z]+([0-9]+)");

  private static final Pattern CANDIDATES =
      Pattern.compile(" \\(candidates: .*\\)$", Pattern.DOTALL);

  private ProblemText() {}

  static String of(String expression, List<CelIssue> issues) {
    var errors =
        issues.stream()
            .filter(issue -> !issue.getMessage().startsWith(FOLLOWS))
            .sorted(
                Comparator.comparingInt((CelIssue issue) -> issue.getSourceLocation().getLine())
                    .thenComparingInt(issue -> issue.getSourceLocation().getColumn()))
            .toList();
    var lines = new ArrayList<String>();
    for (var issue : errors.subList(0, Math.min(MOST_ERRORS, errors.size()))) {
      var at = issue.getSourceLocation();
      var message = words(issue.getMessage());
      int column = at.getColumn();
      if (message.startsWith(TOO_DEEP)) {
        lines.add("ERROR: <input>:-1:0: " + message);
        continue;
      }
      if (message.equals(HAS)) {
        column = argument(expression, at.getLine(), column);
      }
      lines.add(at(expression, at.getLine(), column, message));
    }
    return join(lines, errors.size());
  }

  /** The beginning of so many errors. */
  static String join(List<String> told, int all) {
    var text = String.join("\n", told);
    return all > told.size()
        ? text + "\n" + (all - told.size()) + " more errors were truncated"
        : text;
  }

  /** Where the argument of a macro begins whose bracket is there. */
  private static int argument(String expression, int line, int bracket) {
    var lines = expression.split("\n", -1);
    var text = line >= 1 && line <= lines.length ? lines[line - 1] : "";
    int column = bracket + 1;
    while (column < text.length() && text.charAt(column) == ' ') {
      column++;
    }
    return column;
  }

  /**
   * One problem with the place that it is about.
   *
   * @param line counted from 1
   * @param column counted from 0
   */
  static String at(String expression, int line, int column, String message) {
    if (expression.isEmpty()) {
      return "ERROR: <input>:1:0: " + message;
    }
    var said = "ERROR: <input>:" + line + ":" + (column + 1) + ": " + message;
    var lines = expression.split("\n", -1);
    if (line < 1 || line > lines.length || GoText.bytes(lines[line - 1]) > MOST_SHOWN) {
      return said;
    }
    var shown = lines[line - 1].replace('\t', ' ');
    var marks = new StringBuilder();
    int at = 0;
    for (int seen = 0; seen < column && at < shown.length(); seen++) {
      int point = shown.codePointAt(at);
      at += Character.charCount(point);
      marks.append(point > 0x7f ? '．' : '.');
    }
    boolean wide = at < shown.length() && shown.codePointAt(at) > 0x7f;
    return said + "\n | " + shown + "\n | " + marks + (wide ? "＾" : "^");
  }

  private static String open(String message) {
    return message.startsWith("found no matching overload") ? "dyn" : "_var$1";
  }

  private static String words(String message) {
    if (SYNTAX.matcher(message).matches()) {
      return "Syntax error: "
          + RESERVED
              .matcher(message)
              .replaceFirst("mismatched input '$1' expecting IDENTIFIER")
              .replace("%%", "%");
    }
    if (message.startsWith("Expression recursion limit exceeded. limit: ")) {
      return message.replace("Expression recursion limit exceeded. limit", TOO_DEEP);
    }
    var closed = CLOSED.matcher(message);
    if (closed.matches()) {
      return "unexpected failed resolution of '" + closed.group(1) + "'";
    }
    if (message.startsWith("For input string")) {
      return "invalid int literal";
    }
    if (message.endsWith("exceeds range of unsigned long.")) {
      return "invalid uint literal";
    }
    if (message.startsWith("Illegal escape sequence")) {
      return "unable to unescape string";
    }
    if (message.equals("Invalid unicode code point")) {
      return "invalid unicode code point";
    }
    if (message.equals("The argument must be a simple name")) {
      return "argument must be a simple name";
    }
    var known = CANDIDATES.matcher(message).replaceFirst("");
    return (known.indexOf('%') < 0 ? known : OPEN.matcher(known).replaceAll(open(known)))
        .replace("google.protobuf.Timestamp", "timestamp")
        .replace("google.protobuf.Duration", "duration");
  }
}
