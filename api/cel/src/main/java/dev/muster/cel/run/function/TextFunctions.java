package dev.muster.cel.run.function;

import dev.muster.cel.value.CelList;
import dev.muster.cel.value.EvaluationException;
import dev.muster.cel.value.ValueText;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Functions for strings; positions count code points. */
public final class TextFunctions {
  private TextFunctions() {}

  public static void addTo(Map<String, Function> all) {
    all.put("startsWith", values -> ((String) values[0]).startsWith((String) values[1]));
    all.put("endsWith", values -> ((String) values[0]).endsWith((String) values[1]));
    all.put("contains", values -> ((String) values[0]).contains((String) values[1]));
    all.put("matches", values -> Patterns.apply("matches", values));
    all.put("find", values -> Patterns.apply("find", values));
    all.put("findAll", values -> Patterns.apply("findAll", values));
    all.put("charAt", values -> charAt((String) values[0], (Long) values[1]));
    all.put("lowerAscii", values -> ascii((String) values[0], 'A', 'Z', 32));
    all.put("upperAscii", values -> ascii((String) values[0], 'a', 'z', -32));
    all.put("trim", values -> trim((String) values[0]));
    all.put("replace", TextFunctions::replace);
    all.put("split", TextFunctions::split);
    all.put("join", values -> join((CelList) values[0], values.length > 1 ? values[1] : ""));
    all.put("substring", TextFunctions::substring);
    all.put("strings.quote", values -> quote((String) values[0]));
    all.put("format", values -> TextFormat.of((String) values[0], (CelList) values[1]));
    all.put(
        "jsonpatch.escapeKey",
        values -> ((String) values[0]).replace("~", "~0").replace("/", "~1"));
  }

  private static EvaluationException outOfRange(long index) {
    return new EvaluationException("index out of range: " + index);
  }

  private static int length(String text) {
    return text.codePointCount(0, text.length());
  }

  private static Object charAt(String text, long index) {
    int length = length(text);
    if (index < 0 || index > length) {
      throw outOfRange(index);
    }
    return index == length
        ? ""
        : Character.toString(text.codePointAt(text.offsetByCodePoints(0, (int) index)));
  }

  private static String ascii(String text, char from, char to, int by) {
    var changed = text.toCharArray();
    for (int i = 0; i < changed.length; i++) {
      if (changed[i] >= from && changed[i] <= to) {
        changed[i] = (char) (changed[i] + by);
      }
    }
    return new String(changed);
  }

  private static String trim(String text) {
    int begin = 0;
    int end = text.length();
    while (begin < end && isSpace(text.charAt(begin))) {
      begin++;
    }
    while (end > begin && isSpace(text.charAt(end - 1))) {
      end--;
    }
    return text.substring(begin, end);
  }

  private static boolean isSpace(char c) {
    return c == ' ' || (c >= '\t' && c <= '\r') || c == 0x85 || Character.isSpaceChar(c);
  }

  private static Object replace(Object[] values) {
    var text = (String) values[0];
    var from = (String) values[1];
    var to = (String) values[2];
    long most = values.length > 3 ? (Long) values[3] : -1;
    if (most < 0) {
      return text.replace(from, to);
    }
    var out = new StringBuilder();
    int at = 0;
    for (long i = 0; i < most; i++) {
      int found;
      if (from.isEmpty()) {
        found = i == 0 ? 0 : at < text.length() ? text.offsetByCodePoints(at, 1) : -1;
      } else {
        found = text.indexOf(from, at);
      }
      if (found < 0) {
        break;
      }
      out.append(text, at, found).append(to);
      at = found + from.length();
    }
    return out.append(text.substring(at)).toString();
  }

  private static Object split(Object[] values) {
    var text = (String) values[0];
    var separator = (String) values[1];
    long most = values.length > 2 ? (Long) values[2] : -1;
    List<String> parts = new ArrayList<>();
    if (most == 0) {
      return CelList.EMPTY;
    }
    int at = 0;
    while (most < 0 || parts.size() < most - 1) {
      int found;
      if (separator.isEmpty()) {
        found = at < text.length() ? text.offsetByCodePoints(at, 1) : -1;
        found = found == text.length() ? -1 : found;
      } else {
        found = text.indexOf(separator, at);
      }
      if (found < 0) {
        break;
      }
      parts.add(text.substring(at, found));
      at = found + separator.length();
    }
    if (!(separator.isEmpty() && text.isEmpty())) {
      parts.add(text.substring(at));
    }
    return CelList.of(parts);
  }

  private static Object join(CelList list, Object separator) {
    var out = new StringBuilder();
    for (int i = 0; i < list.size(); i++) {
      if (!(list.get(i) instanceof String text)) {
        throw new EvaluationException("join: invalid input: " + ValueText.plain(list.get(i)));
      }
      out.append(i == 0 ? "" : (String) separator).append(text);
    }
    return out.toString();
  }

  private static Object substring(Object[] values) {
    var text = (String) values[0];
    long start = (Long) values[1];
    int length = length(text);
    long end = values.length > 2 ? (Long) values[2] : length;
    if (values.length > 2 && start > end) {
      throw new EvaluationException("invalid substring range. start: " + start + ", end: " + end);
    }
    if (start < 0 || start > length) {
      throw outOfRange(start);
    }
    if (end < 0 || end > length) {
      throw outOfRange(end);
    }
    int from = text.offsetByCodePoints(0, (int) start);
    return text.substring(from, text.offsetByCodePoints(from, (int) (end - start)));
  }

  /** The first position of a part in a string, or -1. */
  static long indexOf(String text, String part, long offset) {
    if (part.isEmpty()) {
      return offset;
    }
    if (offset < 0) {
      throw outOfRange(offset);
    }
    if (offset >= length(text)) {
      return -1;
    }
    int found = text.indexOf(part, text.offsetByCodePoints(0, (int) offset));
    return found < 0 ? -1 : text.codePointCount(0, found);
  }

  /** The last position of a part in a string, or -1. */
  static long lastIndexOf(String text, String part, long offset) {
    if (part.isEmpty()) {
      return offset;
    }
    if (offset < 0) {
      throw outOfRange(offset);
    }
    if (offset >= length(text)) {
      return -1;
    }
    int found = text.lastIndexOf(part, text.offsetByCodePoints(0, (int) offset));
    return found < 0 ? -1 : text.codePointCount(0, found);
  }

  static long lastIndexOf(String text, String part) {
    if (part.isEmpty()) {
      return length(text);
    }
    return text.isEmpty() ? -1 : lastIndexOf(text, part, length(text) - 1L);
  }

  private static String quote(String text) {
    var out = new StringBuilder("\"");
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case 7 -> out.append("\\a");
        case '\b' -> out.append("\\b");
        case '\f' -> out.append("\\f");
        case '\n' -> out.append("\\n");
        case '\r' -> out.append("\\r");
        case '\t' -> out.append("\\t");
        case 11 -> out.append("\\v");
        case '\\' -> out.append("\\\\");
        case '"' -> out.append("\\\"");
        default -> out.append(c);
      }
    }
    return out.append('"').toString();
  }
}
