package dev.muster.registry;

import dev.muster.model.ApiException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** The parameters of a request's query, decoded, in the order in which they were sent. */
public final class Query {
  public static final Query NONE = new Query(List.of(), List.of());

  private final List<String> names;
  private final List<String> values;

  private Query(List<String> names, List<String> values) {
    this.names = names;
    this.values = values;
  }

  public static Query parse(String raw) {
    if (raw.isEmpty()) {
      return NONE;
    }
    var names = new ArrayList<String>(4);
    var values = new ArrayList<String>(4);
    int start = 0;
    while (start <= raw.length()) {
      int end = raw.indexOf('&', start);
      if (end < 0) {
        end = raw.length();
      }
      if (end > start) {
        int equals = raw.indexOf('=', start);
        boolean valued = equals >= 0 && equals < end;
        names.add(decode(raw.substring(start, valued ? equals : end)));
        values.add(valued ? decode(raw.substring(equals + 1, end)) : "");
      }
      start = end + 1;
    }
    return new Query(names, values);
  }

  /** Decodes percent escapes and pluses; what is no valid escape stays as it is. */
  private static String decode(String text) {
    if (text.indexOf('%') < 0 && text.indexOf('+') < 0) {
      return text;
    }
    try {
      return URLDecoder.decode(text, StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      return text;
    }
  }

  public boolean has(String name) {
    return names.contains(name);
  }

  /** The first value of that parameter, or "". */
  public String first(String name) {
    int index = names.indexOf(name);
    return index < 0 ? "" : values.get(index);
  }

  public List<String> all(String name) {
    var found = new ArrayList<String>(1);
    for (int i = 0; i < names.size(); i++) {
      if (names.get(i).equals(name)) {
        found.add(values.get(i));
      }
    }
    return found;
  }

  /** Kubernetes' reading of a boolean: set, and neither "0" nor "false" in any case. */
  public boolean isTrue(String name) {
    int index = names.indexOf(name);
    if (index < 0) {
      return false;
    }
    var value = values.get(index);
    return !value.equals("0") && !value.equalsIgnoreCase("false");
  }

  /** The parameter as a whole number, or the given one when it is absent or empty. */
  public long integer(String name, long otherwise) {
    var text = first(name);
    if (text.isEmpty()) {
      return otherwise;
    }
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException e) {
      throw ApiException.badRequest("strconv.ParseInt: parsing \"" + text + "\": invalid syntax");
    }
  }
}
