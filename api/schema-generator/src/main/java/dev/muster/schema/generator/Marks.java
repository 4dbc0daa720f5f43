package dev.muster.schema.generator;

import dev.muster.schema.generator.FoundTypes.Patch;
import dev.muster.schema.generator.FoundTypes.Shape;
import dev.muster.schema.generator.FoundTypes.WhenEmpty;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The words that stand behind a field in {@code fields.txt}. */
record Marks(Set<String> words) {
  static final Patch NO_PATCH = new Patch(false, false, false, "");

  boolean has(String word) {
    return words.contains(word);
  }

  /** What stands in the brackets of a word such as {@code map(name)}, or null. */
  private @Nullable String inBrackets(String word) {
    for (var candidate : words) {
      if (candidate.startsWith(word + "(") && candidate.endsWith(")")) {
        return candidate.substring(word.length() + 1, candidate.length() - 1);
      }
    }
    return null;
  }

  private @Nullable String after(String prefix) {
    for (var word : words) {
      if (word.startsWith(prefix)) {
        return word.substring(prefix.length());
      }
    }
    return null;
  }

  /** The list type, "" when none is declared. */
  String listType() {
    return inBrackets("map") != null ? "MAP" : has("set") ? "SET" : has("atomic") ? "ATOMIC" : "";
  }

  List<String> keys() {
    var keys = inBrackets("map");
    return keys == null ? List.of() : List.of(keys.split(","));
  }

  Patch patch() {
    var key = inBrackets("merge");
    return new Patch(
        has("merge") || key != null, has("replace"), has("retainKeys"), key == null ? "" : key);
  }

  @Nullable String defaultValue() {
    return after("default=");
  }

  String goType() {
    var type = after("go:");
    return type == null ? "" : type;
  }

  int number() {
    var number = after("#");
    return number == null ? 0 : Integer.parseInt(number);
  }

  /**
   * What Go's encoder does with the field. The words say only what is out of the ordinary: that it
   * is a pointer ({@code *}) or a value, that it is always or not always written.
   *
   * @param value whether a struct in that place is usually a value
   */
  WhenEmpty whenEmpty(Shape shape, boolean required, boolean value) {
    boolean always = has("always") || (required && !has("omitempty"));
    boolean pointer = has("*");
    if (shape instanceof Shape.Ref) {
      boolean isValue = !pointer && (has("value") || required || value);
      return isValue ? WhenEmpty.ZERO : has("always") ? WhenEmpty.NULL : WhenEmpty.KEEP;
    }
    if (!(shape instanceof Shape.Scalar scalar)) {
      return always ? WhenEmpty.NULL : WhenEmpty.OMIT;
    }
    return switch (scalar.name()) {
      case "TIME", "MICRO_TIME", "ANY", "FIELDS_V1" ->
          pointer ? WhenEmpty.KEEP : has("omitempty") ? WhenEmpty.OMIT : WhenEmpty.NULL;
      case "QUANTITY", "INT_OR_STRING", "DURATION" -> {
        boolean isValue = !pointer && (has("value") || required);
        yield isValue ? WhenEmpty.ZERO : has("always") ? WhenEmpty.NULL : WhenEmpty.KEEP;
      }
      case "SCHEMA_OR_ARRAY", "SCHEMA_OR_BOOL", "SCHEMA_OR_STRINGS" -> WhenEmpty.KEEP;
      default -> {
        if (pointer) {
          yield has("always") ? WhenEmpty.NULL : WhenEmpty.KEEP;
        }
        yield always ? WhenEmpty.ZERO : WhenEmpty.OMIT;
      }
    };
  }
}
