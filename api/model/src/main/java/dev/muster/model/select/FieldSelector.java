package dev.muster.model.select;

import dev.muster.model.MalformedValueException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Selects objects by fields: all terms must match. Immutable. */
public record FieldSelector(List<Term> terms) {
  /** Selects every object. */
  public static final FieldSelector EVERYTHING = new FieldSelector(List.of());

  /** One comparison; an absent field counts as an empty text. */
  public record Term(String field, boolean equal, String value) {
    public boolean matches(@Nullable String actual) {
      return value.equals(actual == null ? "" : actual) == equal;
    }

    @Override
    public String toString() {
      return field + (equal ? "=" : "!=") + escape(value);
    }
  }

  public FieldSelector {
    terms = List.copyOf(terms);
  }

  /**
   * Parses the form of a query string, such as {@code metadata.name=a,status.phase!=Running}.
   *
   * @throws MalformedValueException with kube-apiserver's message
   */
  public static FieldSelector parse(String text) {
    if (text.isEmpty()) {
      return EVERYTHING;
    }
    var parts = split(text).toArray(new String[0]);
    Arrays.sort(parts);
    var terms = new ArrayList<Term>();
    for (var part : parts) {
      if (part.isEmpty()) {
        continue;
      }
      var term = term(part, text);
      if (!term.field().isEmpty() || !term.value().isEmpty()) {
        terms.add(term);
      }
    }
    return new FieldSelector(terms);
  }

  /** Parses a text; an invalid one selects everything. Use it where a wider result does no harm. */
  public static FieldSelector readable(String text) {
    try {
      return parse(text);
    } catch (MalformedValueException e) {
      return EVERYTHING;
    }
  }

  private static Term term(String part, String whole) {
    for (int i = 0; i < part.length(); i++) {
      if (part.startsWith("!=", i)) {
        return new Term(part.substring(0, i), false, unescape(part.substring(i + 2)));
      }
      if (part.startsWith("=", i)) {
        int sign = part.startsWith("==", i) ? 2 : 1;
        return new Term(part.substring(0, i), true, unescape(part.substring(i + sign)));
      }
    }
    throw new MalformedValueException(
        "invalid selector: '" + whole + "'; can't understand '" + part + "'");
  }

  private static List<String> split(String text) {
    var parts = new ArrayList<String>();
    int start = 0;
    boolean escaped = false;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (escaped) {
        escaped = false;
      } else if (c == '\\') {
        escaped = true;
      } else if (c == ',') {
        parts.add(text.substring(start, i));
        start = i + 1;
      }
    }
    parts.add(text.substring(start));
    return parts;
  }

  private static String unescape(String value) {
    var out = new StringBuilder(value.length());
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      if (c == '\\') {
        i++;
        if (i == value.length()) {
          throw badEscape("\\");
        }
        char next = value.charAt(i);
        if (next != '\\' && next != ',' && next != '=') {
          throw badEscape("\\" + Character.toString(value.codePointAt(i)));
        }
        out.append(next);
      } else if (c == ',' || c == '=') {
        throw new MalformedValueException(
            "invalid field selector: unescaped character in value: " + (int) c);
      } else {
        out.append(c);
      }
    }
    return out.toString();
  }

  private static MalformedValueException badEscape(String sequence) {
    return new MalformedValueException(
        "invalid field selector: invalid escape sequence: " + sequence);
  }

  private static String escape(String value) {
    return value.replace("\\", "\\\\").replace(",", "\\,").replace("=", "\\=");
  }

  public boolean isEverything() {
    return terms.isEmpty();
  }

  /** Whether an object matches. The function returns its fields. */
  public boolean matches(Function<String, @Nullable String> fields) {
    for (int i = 0; i < terms.size(); i++) {
      var term = terms.get(i);
      if (!term.matches(fields.apply(term.field()))) {
        return false;
      }
    }
    return true;
  }

  /** The value that the field of every selected object must have, or null. */
  public @Nullable String exactValue(String field) {
    for (var term : terms) {
      if (term.equal() && term.field().equals(field)) {
        return term.value();
      }
    }
    return null;
  }

  /** This selector with every term replaced. */
  public FieldSelector map(UnaryOperator<Term> change) {
    return new FieldSelector(terms.stream().map(change).toList());
  }

  /** This selector with one more term. */
  public FieldSelector and(Term term) {
    var more = new ArrayList<>(terms);
    more.add(term);
    return new FieldSelector(more);
  }

  @Override
  public String toString() {
    return String.join(",", terms.stream().map(Term::toString).toList());
  }
}
