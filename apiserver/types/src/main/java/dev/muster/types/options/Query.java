package dev.muster.types.options;

import dev.muster.model.gocompat.GoText;
import dev.muster.model.status.ApiException;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The decoded parameters of a request's query, in the order in which they were sent. */
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
        int equals = raw.indexOf('=', start, end);
        boolean valued = equals >= 0;
        var name = decode(raw.substring(start, valued ? equals : end));
        var value = valued ? decode(raw.substring(equals + 1, end)) : "";
        if (name != null && value != null) {
          names.add(name);
          values.add(value);
        }
      }
      start = end + 1;
    }
    return new Query(names, values);
  }

  /**
   * Decodes percent escapes and plus signs; null for a malformed text, which Go drops from the
   * query.
   */
  private static @Nullable String decode(String text) {
    if (text.indexOf(';') >= 0) {
      return null;
    }
    if (text.indexOf('%') < 0 && text.indexOf('+') < 0) {
      return text;
    }
    try {
      return URLDecoder.decode(text, StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  /**
   * The query as Go encodes it: sorted by name, with the values of each name in the order in which
   * they were sent.
   */
  public String encoded() {
    var byName = new TreeMap<String, List<String>>();
    for (int i = 0; i < names.size(); i++) {
      byName.computeIfAbsent(names.get(i), absent -> new ArrayList<>()).add(values.get(i));
    }
    var text = new StringJoiner("&");
    byName.forEach(
        (name, all) -> all.forEach(value -> text.add(encode(name) + "=" + encode(value))));
    return text.toString();
  }

  private static String encode(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("*", "%2A").replace("%7E", "~");
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

  /** A boolean as Kubernetes reads it: present, and neither "0" nor "false" in any case. */
  public boolean isTrue(String name) {
    int index = names.indexOf(name);
    if (index < 0) {
      return false;
    }
    var value = values.get(index);
    return !value.equals("0") && !value.equalsIgnoreCase("false");
  }

  /** The parameter as an integer, or the default when it is absent. */
  public long integer(String name, long otherwise) {
    if (!has(name)) {
      return otherwise;
    }
    var text = first(name);
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException e) {
      throw ApiException.badRequest(
          "strconv.ParseInt: parsing "
              + GoText.quote(text)
              + (isNumber(text) ? ": value out of range" : ": invalid syntax"));
    }
  }

  /** Whether the text is an integer of any size. */
  private static boolean isNumber(String text) {
    int start = text.startsWith("-") || text.startsWith("+") ? 1 : 0;
    for (int i = start; i < text.length(); i++) {
      if (text.charAt(i) < '0' || text.charAt(i) > '9') {
        return false;
      }
    }
    return text.length() > start;
  }
}
