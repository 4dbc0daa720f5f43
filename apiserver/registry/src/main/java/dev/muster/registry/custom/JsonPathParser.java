package dev.muster.registry.custom;

import dev.muster.model.json.Json;
import dev.muster.registry.custom.JsonPath.Operand;
import dev.muster.registry.custom.JsonPath.Step;
import dev.muster.wire.DecodeException;
import dev.muster.wire.JsonReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Parses JSONPaths. Only one thread uses it, once. */
final class JsonPathParser {
  private static final int DEEPEST = 32;
  private static final Pattern SLICE =
      Pattern.compile("(-?[0-9]{0,9})(?:(:)(-?[0-9]{0,9})(?::([0-9]{0,9}))?)?");
  private static final Pattern COMPARISON = Pattern.compile("([^!<>=]+)([!<>=]{1,2})(.+)");

  private final String text;
  private final int depth;
  private int at;

  private JsonPathParser(String text, int depth) {
    this.text = text;
    this.depth = depth;
  }

  /** The path, or null when the text is invalid. */
  static @Nullable JsonPath parse(String text) {
    try {
      return new JsonPath(new JsonPathParser(text, 0).steps());
    } catch (IllegalArgumentException unreadable) {
      return null;
    }
  }

  private static List<Step> steps(String text, int depth) {
    if (depth > DEEPEST) {
      throw new IllegalArgumentException("too deep");
    }
    return new JsonPathParser(text, depth).steps();
  }

  private List<Step> steps() {
    var steps = new ArrayList<Step>();
    while (at < text.length()) {
      char next = text.charAt(at);
      if (next == ' ' || next == '@' || next == '$') {
        at++;
      } else if (text.startsWith("[?(", at)) {
        at += 3;
        steps.add(filter());
      } else if (text.startsWith("..", at)) {
        at += 2;
        steps.add(new Step.Deep());
        if (at < text.length() && isName(text.charAt(at))) {
          steps.add(member());
        }
      } else if (next == '.') {
        at++;
        steps.add(member());
      } else if (next == '[') {
        at++;
        steps.add(brackets(depth));
      } else {
        throw new IllegalArgumentException("unexpected " + next);
      }
    }
    return steps;
  }

  private static boolean isName(char c) {
    return " \t\r\n.,[]$@{}".indexOf(c) < 0;
  }

  private Step member() {
    var name = new StringBuilder();
    while (at < text.length() && isName(text.charAt(at))) {
      char c = text.charAt(at++);
      if (c == '\\' && at < text.length()) {
        c = text.charAt(at++);
      }
      name.append(c);
    }
    return name.toString().equals("*") ? new Step.Every() : new Step.Member(name.toString());
  }

  private Step brackets(int level) {
    int end = text.indexOf(']', at);
    if (end < 0) {
      throw new IllegalArgumentException("unterminated array");
    }
    var inside = text.substring(at, end);
    at = end + 1;
    return within(inside, level);
  }

  private static Step within(String inside, int level) {
    if (inside.equals("*")) {
      return new Step.Every();
    }
    if (inside.indexOf(',') >= 0) {
      var alternatives = new ArrayList<List<Step>>();
      for (var part : inside.split(",", -1)) {
        alternatives.add(steps("[" + part.strip() + "]", level + 1));
      }
      return new Step.Several(alternatives);
    }
    if (inside.length() >= 2 && inside.startsWith("'") && inside.endsWith("'")) {
      return new Step.Member(inside.substring(1, inside.length() - 1));
    }
    var slice = SLICE.matcher(inside);
    if (!slice.matches() || inside.isEmpty()) {
      throw new IllegalArgumentException("invalid array index " + inside);
    }
    var from = number(slice.group(1));
    if (slice.group(2) == null) {
      int position = from == null ? 0 : from;
      return new Step.Slice(position, position + 1, 1);
    }
    var step = number(slice.group(4));
    return new Step.Slice(from, number(slice.group(3)), step == null || step < 1 ? 1 : step);
  }

  private static @Nullable Integer number(@Nullable String digits) {
    return digits == null || digits.isEmpty() || digits.equals("-")
        ? null
        : Integer.valueOf(digits);
  }

  private Step filter() {
    int start = at;
    char quote = 0;
    while (true) {
      if (at >= text.length()) {
        throw new IllegalArgumentException("unterminated filter");
      }
      char c = text.charAt(at++);
      if (quote == 0 && (c == '"' || c == '\'')) {
        quote = c;
      } else if (c == quote && text.charAt(at - 2) != '\\') {
        quote = 0;
      } else if (c == ')' && quote == 0) {
        break;
      }
    }
    var condition = text.substring(start, at - 1);
    if (at >= text.length() || text.charAt(at++) != ']') {
      throw new IllegalArgumentException("unclosed array expect ]");
    }
    var comparison = COMPARISON.matcher(condition);
    return comparison.matches()
        ? new Step.Filter(
            operand(comparison.group(1).strip()),
            comparison.group(2),
            operand(comparison.group(3).strip()))
        : new Step.Filter(operand(condition.strip()), "", null);
  }

  private Operand operand(String side) {
    char first = side.isEmpty() ? ' ' : side.charAt(0);
    if (side.length() >= 2
        && (first == '"' || first == '\'')
        && side.charAt(side.length() - 1) == first) {
      var content = side.substring(1, side.length() - 1).replace("\\" + first, "" + first);
      return new Operand(List.of(), Json.of(content));
    }
    if (side.equals("true") || side.equals("false")) {
      return new Operand(List.of(), Json.of(side.equals("true")));
    }
    if (first == '-' || first == '+' || Character.isDigit(first)) {
      return new Operand(List.of(), constant(side));
    }
    return new Operand(steps(side, depth + 1), null);
  }

  private static Json constant(String number) {
    try {
      return JsonReader.read(number.getBytes(StandardCharsets.UTF_8));
    } catch (DecodeException e) {
      throw new IllegalArgumentException("cannot parse number " + number, e);
    }
  }
}
