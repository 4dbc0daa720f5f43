package dev.muster.schema.cel;

import dev.cel.common.CelIssue;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** Writes what is wrong with an expression as kube-apiserver writes it. */
final class ProblemText {
  private static final Pattern SYNTAX =
      Pattern.compile(
          "(mismatched input|no viable alternative|extraneous input|missing |token recognition)"
              + ".*",
          Pattern.DOTALL);
  private static final Pattern CANDIDATES =
      Pattern.compile(" \\(candidates: .*\\)$", Pattern.DOTALL);

  private ProblemText() {}

  static String of(String expression, List<CelIssue> issues) {
    var lines = new ArrayList<String>();
    for (var issue : issues) {
      var at = issue.getSourceLocation();
      lines.add(at(expression, at.getLine(), at.getColumn(), words(issue.getMessage())));
    }
    return String.join("\n", lines);
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
    var lines = expression.split("\n", -1);
    var shown = line >= 1 && line <= lines.length ? lines[line - 1].replace('\t', ' ') : "";
    var marks = new StringBuilder();
    for (int i = 0, seen = 0; seen < column; seen++) {
      int point = i < shown.length() ? shown.codePointAt(i) : '.';
      i += Character.charCount(point);
      marks.append(point > 0x7f ? '．' : '.');
    }
    return "ERROR: <input>:"
        + line
        + ":"
        + (column + 1)
        + ": "
        + message
        + "\n | "
        + shown
        + "\n | "
        + marks
        + "^";
  }

  private static String words(String message) {
    if (SYNTAX.matcher(message).matches()) {
      return "Syntax error: " + message;
    }
    if (message.startsWith("For input string")) {
      return "invalid int literal";
    }
    if (message.equals("The argument must be a simple name")) {
      return "argument must be a simple name";
    }
    return CANDIDATES
        .matcher(message)
        .replaceFirst("")
        .replace("google.protobuf.Timestamp", "timestamp")
        .replace("google.protobuf.Duration", "duration");
  }
}
