package dev.muster.cel.problem;

import dev.cel.common.CelIssue;
import dev.muster.model.gocompat.GoText;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Pattern;

/** Formats the errors of an expression as kube-apiserver does. */
public final class ProblemText {
  private static final int MOST_SHOWN = 16384;

  /** Further errors of one expression are counted, not listed. */
  static final int MOST_ERRORS = 100;

  private static final String FOLLOWS = "Message type resolution failure";
  private static final Pattern CLOSED =
      Pattern.compile("type '(kubernetes\\.[A-Za-z.]+)' does not support field selection");

  /** A type variable that the expression leaves open. */
  private static final Pattern OPEN = Pattern.compile("%[A-Za-z]+([0-9]+)");

  private static final Pattern CANDIDATES =
      Pattern.compile(" \\(candidates: .*\\)$", Pattern.DOTALL);

  private ProblemText() {}

  /** The library's errors in kube-apiserver's words. */
  public static String translated(String expression, List<CelIssue> issues) {
    return of(
        expression,
        issues.stream()
            .filter(issue -> !issue.getMessage().startsWith(FOLLOWS))
            .map(
                issue -> CelIssue.formatError(issue.getSourceLocation(), words(issue.getMessage())))
            .toList());
  }

  /** The errors that this package found. */
  public static String of(String expression, List<CelIssue> issues) {
    var errors =
        issues.stream()
            .sorted(
                Comparator.comparingInt((CelIssue issue) -> issue.getSourceLocation().getLine())
                    .thenComparingInt(issue -> issue.getSourceLocation().getColumn()))
            .toList();
    var lines = new ArrayList<String>();
    for (var issue : errors.subList(0, Math.min(MOST_ERRORS, errors.size()))) {
      var at = issue.getSourceLocation();
      lines.add(at(expression, at.getLine(), at.getColumn(), issue.getMessage()));
    }
    return join(lines, errors.size());
  }

  /** The first errors, followed by the number of the others. */
  static String join(List<String> told, int all) {
    var text = String.join("\n", told);
    return all > told.size()
        ? text + "\n" + (all - told.size()) + " more errors were truncated"
        : text;
  }

  /**
   * One error with its position.
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
    var closed = CLOSED.matcher(message);
    if (closed.matches()) {
      return "unexpected failed resolution of '" + closed.group(1) + "'";
    }
    var known = CANDIDATES.matcher(message).replaceFirst("");
    return (known.indexOf('%') < 0 ? known : OPEN.matcher(known).replaceAll(open(known)))
        .replace("google.protobuf.Timestamp", "timestamp")
        .replace("google.protobuf.Duration", "duration")
        .replace("*error*", "!error!");
  }
}
