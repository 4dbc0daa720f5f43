package dev.muster.model.validation;

import java.util.function.IntPredicate;

/** Checks the characters of names without messages and without allocation. */
final class NameForms {
  private NameForms() {}

  static boolean isLabel(String value) {
    return isLabel(value, 0, value.length());
  }

  private static boolean isLabel(String value, int from, int to) {
    if (from >= to
        || !isLowerAlphanumeric(value.charAt(from))
        || !isLowerAlphanumeric(value.charAt(to - 1))) {
      return false;
    }
    for (int i = from; i < to; i++) {
      if (!isLowerAlphanumeric(value.charAt(i)) && value.charAt(i) != '-') {
        return false;
      }
    }
    return true;
  }

  static boolean isSubdomain(String value) {
    int from = 0;
    while (true) {
      int dot = value.indexOf('.', from);
      if (!isLabel(value, from, dot < 0 ? value.length() : dot)) {
        return false;
      }
      if (dot < 0) {
        return true;
      }
      from = dot + 1;
    }
  }

  static boolean isLooseSubdomain(String value) {
    int from = 0;
    while (true) {
      int dot = value.indexOf('.', from);
      int to = dot < 0 ? value.length() : dot;
      int first = from < to && value.charAt(from) == '_' ? from + 1 : from;
      if (first >= to
          || !isLowerAlphanumeric(value.charAt(first))
          || !isLowerAlphanumeric(value.charAt(to - 1))) {
        return false;
      }
      for (int i = first; i < to; i++) {
        char c = value.charAt(i);
        if (!isLowerAlphanumeric(c) && c != '-' && c != '_') {
          return false;
        }
      }
      if (dot < 0) {
        return true;
      }
      from = dot + 1;
    }
  }

  static boolean isKey(String value) {
    return !value.isEmpty()
        && isAlphanumeric(value.charAt(0))
        && isAlphanumeric(value.charAt(value.length() - 1))
        && all(value, NameForms::isConfigCharacter);
  }

  static boolean isConfigCharacter(int c) {
    return isAlphanumeric(c) || c == '-' || c == '_' || c == '.';
  }

  static boolean isAlphanumeric(int c) {
    return isLowerAlphanumeric(c) || (c >= 'A' && c <= 'Z');
  }

  static boolean isLowerAlphanumeric(int c) {
    return (c >= 'a' && c <= 'z') || isDigit(c);
  }

  static boolean isDigit(int c) {
    return c >= '0' && c <= '9';
  }

  static boolean all(String value, IntPredicate allowed) {
    for (int i = 0; i < value.length(); i++) {
      if (!allowed.test(value.charAt(i))) {
        return false;
      }
    }
    return true;
  }
}
