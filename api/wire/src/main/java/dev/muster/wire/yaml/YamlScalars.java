package dev.muster.wire.yaml;

import dev.muster.model.json.Json;
import dev.muster.model.json.JsonBool;
import dev.muster.model.json.JsonInteger;
import dev.muster.model.json.JsonNull;
import dev.muster.wire.DecodeException;
import dev.muster.wire.GoNumbers;
import java.math.BigInteger;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Interprets plain scalars by YAML 1.1, like the library of kube-apiserver. */
final class YamlScalars {
  private static final Set<String> TRUE =
      Set.of("y", "Y", "yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON");
  private static final Set<String> FALSE =
      Set.of("n", "N", "no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF");
  private static final Set<String> NULL = Set.of("", "~", "null", "Null", "NULL");
  private static final Set<String> NOT_A_NUMBER =
      Set.of(
          ".nan", ".NaN", ".NAN", ".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF", "-.inf",
          "-.Inf", "-.INF");
  private static final Pattern FLOAT =
      Pattern.compile("[-+]?(\\.[0-9]+|[0-9]+(\\.[0-9]*)?)([eE][-+]?[0-9]+)?");
  private static final Pattern INTEGER =
      Pattern.compile("[-+]?(0[xX][0-9a-fA-F]+|0[bB][01]+|0[oO]?[0-7]+|0|[1-9][0-9]*)");
  private static final Pattern TIMESTAMP =
      Pattern.compile(
          "[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}"
              + "([Tt ]\\s*[0-9]{1,2}:[0-9]{1,2}:[0-9]{1,2}(\\.[0-9]+)?.*)?");
  private static final Pattern BASE_60 =
      Pattern.compile("[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\\.[0-9_]*)?");
  private static final int MOST_DIGITS = 64;

  private YamlScalars() {}

  /** The value of the scalar, or null when it is a text. */
  static @Nullable Json resolve(String text) {
    if (text.length() <= 5) {
      if (NULL.contains(text)) {
        return JsonNull.NULL;
      }
      if (TRUE.contains(text)) {
        return JsonBool.TRUE;
      }
      if (FALSE.contains(text)) {
        return JsonBool.FALSE;
      }
      if (NOT_A_NUMBER.contains(text)) {
        throw new DecodeException("json: unsupported value: " + goName(text));
      }
    }
    char first = text.charAt(0);
    return first == '+' || first == '-' || first == '.' || (first >= '0' && first <= '9')
        ? number(text.replace("_", ""))
        : null;
  }

  private static String goName(String text) {
    return text.startsWith("-")
        ? "-Inf"
        : text.endsWith("f") || text.endsWith("F") ? "+Inf" : "NaN";
  }

  private static @Nullable Json number(String text) {
    if (text.length() <= MOST_DIGITS && INTEGER.matcher(text).matches()) {
      var integer = integer(text);
      if (integer.bitLength() < 64) {
        return new JsonInteger(integer.longValue());
      }
      if (integer.signum() > 0 && integer.bitLength() == 64) {
        return GoNumbers.read(integer.toString());
      }
    }
    if (!FLOAT.matcher(text).matches()) {
      return null;
    }
    double value = Double.parseDouble(text);
    return Double.isInfinite(value) ? null : GoNumbers.of(value);
  }

  private static BigInteger integer(String text) {
    boolean negative = text.startsWith("-");
    var digits = negative || text.startsWith("+") ? text.substring(1) : text;
    int radix = 10;
    if (digits.length() > 1 && digits.charAt(0) == '0') {
      char kind = digits.charAt(1);
      radix = kind == 'x' || kind == 'X' ? 16 : kind == 'b' || kind == 'B' ? 2 : 8;
      digits = digits.substring(Character.isDigit(kind) ? 1 : 2);
    }
    var value = new BigInteger(digits, radix);
    return negative ? value.negate() : value;
  }

  /** Whether the text, written without quotes, would be read as another value. */
  static boolean needsQuotes(String text) {
    if (text.isEmpty() || text.equals("<<") || NOT_A_NUMBER.contains(text)) {
      return true;
    }
    return resolve(text) != null
        || TIMESTAMP.matcher(text).matches()
        || BASE_60.matcher(text).matches();
  }
}
