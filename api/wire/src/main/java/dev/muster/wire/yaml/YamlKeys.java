package dev.muster.wire.yaml;

import java.util.Comparator;

/** The order of keys in YAML output: numbers within keys by their value, letters last. */
final class YamlKeys {
  static final Comparator<String> ORDER = YamlKeys::compare;

  private YamlKeys() {}

  private static int compare(String a, String b) {
    int common = Math.min(a.length(), b.length());
    for (int i = 0; i < common; i++) {
      char x = a.charAt(i);
      char y = b.charAt(i);
      if (x == y) {
        continue;
      }
      boolean xLetter = Character.isLetter(x);
      boolean yLetter = Character.isLetter(y);
      if (xLetter && yLetter) {
        return Character.compare(x, y);
      }
      if (xLetter || yLetter) {
        return xLetter ? 1 : -1;
      }
      return compareNumbers(a, b, i);
    }
    return Integer.compare(a.length(), b.length());
  }

  private static int compareNumbers(String a, String b, int from) {
    long start = 0;
    if (a.charAt(from) == '0' || b.charAt(from) == '0') {
      for (int j = from - 1; j >= 0 && Character.isDigit(a.charAt(j)); j--) {
        if (a.charAt(j) != '0') {
          start = 1;
          break;
        }
      }
    }
    int aEnd = digitsEnd(a, from);
    int bEnd = digitsEnd(b, from);
    long x = number(a, from, aEnd, start);
    long y = number(b, from, bEnd, start);
    if (x != y) {
      return Long.compare(x, y);
    }
    return aEnd != bEnd
        ? Integer.compare(aEnd, bEnd)
        : Character.compare(a.charAt(from), b.charAt(from));
  }

  private static int digitsEnd(String text, int from) {
    int end = from;
    while (end < text.length() && Character.isDigit(text.charAt(end))) {
      end++;
    }
    return end;
  }

  private static long number(String text, int from, int to, long start) {
    long value = start;
    for (int i = from; i < to; i++) {
      value = value * 10 + (text.charAt(i) - '0');
    }
    return value;
  }
}
