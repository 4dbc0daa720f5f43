package dev.muster.wire;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A media type with its parameters, from an {@code Accept} or {@code Content-Type} header.
 *
 * @param name type and subtype, such as {@code application/json}; in lower case, except in {@code
 *     Accept}
 * @param quality the weight of an {@code Accept} clause in thousandths
 */
public record MediaType(String name, Map<String, String> parameters, int quality) {

  /** The maximum number of clauses in an {@code Accept} header; browsers send about eight. */
  private static final int MOST_CLAUSES = 256;

  private static final int MOST_PARAMETERS = 64;

  /** Parses a {@code Content-Type}; null when it is malformed or has too many parameters. */
  public static @Nullable MediaType parse(String text) {
    var parts = text.split(";", MOST_PARAMETERS + 2);
    if (parts.length > MOST_PARAMETERS + 1) {
      return null;
    }
    var name = parts[0].strip().toLowerCase(Locale.ROOT);
    if (name.indexOf('/') <= 0 || name.indexOf('/') == name.length() - 1) {
      return null;
    }
    var parameters = new LinkedHashMap<String, String>();
    int quality = 1000;
    // Accept one semicolon at the end.
    int last =
        parts.length > 1 && parts[parts.length - 1].isBlank() ? parts.length - 1 : parts.length;
    for (int i = 1; i < last; i++) {
      var parameter = parts[i].strip();
      int equals = parameter.indexOf('=');
      if (equals <= 0) {
        return null;
      }
      var key = parameter.substring(0, equals).strip().toLowerCase(Locale.ROOT);
      var value = unquote(parameter.substring(equals + 1).strip());
      if (key.equals("q")) {
        quality = thousandths(value);
      } else {
        parameters.put(key, value);
      }
    }
    return new MediaType(name, parameters, quality);
  }

  /**
   * Parses an {@code Accept} header into its clauses. Sorts them by weight, and among equal weights
   * puts clauses that name a type before wildcards. Drops malformed clauses and all clauses after
   * the maximum.
   */
  public static List<MediaType> parseAccept(String header) {
    var clauses = new ArrayList<MediaType>();
    var parts = header.split(",", MOST_CLAUSES + 1);
    for (int i = 0; i < Math.min(parts.length, MOST_CLAUSES); i++) {
      var text = parts[i].strip();
      var clause =
          text.isEmpty()
              ? null
              : parse(text.startsWith("*;") || text.equals("*") ? "*/" + text : text);
      if (clause != null) {
        clauses.add(clause.named(text));
      }
    }
    clauses.sort(
        Comparator.comparingInt((MediaType clause) -> -clause.quality)
            .thenComparingInt(
                clause -> clause.name.startsWith("*") ? 2 : clause.name.endsWith("/*") ? 1 : 0));
    return clauses;
  }

  /** This type with its name in the original case: upstream accepts no other spelling. */
  private MediaType named(String text) {
    int end = text.indexOf(';');
    var written = (end < 0 ? text : text.substring(0, end)).strip();
    return written.equals(name) ? this : new MediaType(written, parameters, quality);
  }

  private static String unquote(String value) {
    return value.length() >= 2 && value.startsWith("\"") && value.endsWith("\"")
        ? value.substring(1, value.length() - 1)
        : value;
  }

  private static int thousandths(String text) {
    try {
      return (int) Math.round(Double.parseDouble(text) * 1000);
    } catch (NumberFormatException e) {
      return 1000;
    }
  }

  public String parameter(String key) {
    return parameters.getOrDefault(key, "");
  }
}
