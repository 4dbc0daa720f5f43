package dev.muster.validation;

import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonObject;
import dev.muster.model.validation.FieldPath;
import org.jspecify.annotations.Nullable;

/**
 * Describes the difference of two values for the error message of a refused change: one line for
 * each removed ({@code -}) or added ({@code +}) field, each after a line break. The text stays
 * short for values of any size.
 */
public final class Difference {
  private static final int MOST_LINES = 20;
  private static final int MOST_TEXT = 200;

  private final StringBuilder text = new StringBuilder();
  private int lines;

  private Difference() {}

  /** The difference, beginning with a line break; only the line break when the values are equal. */
  public static String between(@Nullable Json before, @Nullable Json after) {
    var difference = new Difference();
    difference.compare(FieldPath.ROOT, before, after);
    return difference.lines == 0 ? "\n" : difference.text.toString();
  }

  private void compare(FieldPath path, @Nullable Json before, @Nullable Json after) {
    if (lines > MOST_LINES) {
      return;
    }
    switch (before) {
      case JsonObject old when after instanceof JsonObject now -> members(path, old, now);
      case JsonArray old when after instanceof JsonArray now -> items(path, old, now);
      case null, default -> {
        if (before == null || !before.equals(after)) {
          line('-', path, before);
          line('+', path, after);
        }
      }
    }
  }

  private void members(FieldPath path, JsonObject before, JsonObject after) {
    for (int i = 0; i < before.size(); i++) {
      compare(path.child(before.key(i)), before.value(i), after.get(before.key(i)));
    }
    for (int i = 0; i < after.size(); i++) {
      if (!before.has(after.key(i))) {
        line('+', path.child(after.key(i)), after.value(i));
      }
    }
  }

  private void items(FieldPath path, JsonArray before, JsonArray after) {
    for (int i = 0; i < Math.max(before.size(), after.size()) && lines <= MOST_LINES; i++) {
      compare(
          path.index(i),
          i < before.size() ? before.get(i) : null,
          i < after.size() ? after.get(i) : null);
    }
  }

  private void line(char sign, FieldPath path, @Nullable Json value) {
    if (value == null || lines > MOST_LINES) {
      return;
    }
    lines++;
    if (lines > MOST_LINES) {
      text.append("\n…");
      return;
    }
    var shown = value.toString();
    text.append('\n').append(sign).append(' ').append(path).append(": ");
    text.append(shown, 0, Math.min(shown.length(), MOST_TEXT));
    if (shown.length() > MOST_TEXT) {
      text.append('…');
    }
  }
}
