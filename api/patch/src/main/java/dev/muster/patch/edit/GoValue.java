package dev.muster.patch.edit;

import dev.muster.model.gocompat.GoText;
import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonBool;
import dev.muster.model.json.JsonDecimal;
import dev.muster.model.json.JsonInteger;
import dev.muster.model.json.JsonNull;
import dev.muster.model.json.JsonObject;
import dev.muster.model.json.JsonString;
import java.math.BigDecimal;
import java.util.TreeMap;

/** Prints JSON values as Go does, for messages like kube-apiserver's. */
public final class GoValue {
  /** Longer values in messages are cut off. */
  private static final int LONGEST = 4_096;

  private GoValue() {}

  /** The error of Go's decoder for a value that should be an object. */
  public static String notAnObject(Json value) {
    return "json: cannot unmarshal "
        + GoText.kind(value)
        + " into Go value of type map[string]interface {}";
  }

  /** The Go type of a decoded value. */
  public static String type(Json value) {
    return switch (value) {
      case JsonObject ignored -> "map[string]interface {}";
      case JsonArray ignored -> "[]interface {}";
      case JsonString ignored -> "string";
      case JsonInteger ignored -> "int64";
      case JsonDecimal ignored -> "float64";
      case JsonBool ignored -> "bool";
      case JsonNull ignored -> "%!s(<nil>)";
    };
  }

  /** The value as {@code %v} prints it: {@code map[a:1 b:[x y]]}. */
  public static String print(Json value) {
    var out = new StringBuilder();
    print(value, out);
    if (out.length() > LONGEST) {
      out.setLength(LONGEST);
      out.append("...");
    }
    return out.toString();
  }

  private static void print(Json value, StringBuilder out) {
    if (out.length() > LONGEST) {
      return;
    }
    switch (value) {
      case JsonObject object -> {
        var sorted = new TreeMap<String, Json>();
        for (int i = 0; i < object.size(); i++) {
          sorted.put(object.key(i), object.value(i));
        }
        out.append("map[");
        var separator = "";
        for (var entry : sorted.entrySet()) {
          out.append(separator).append(entry.getKey()).append(':');
          print(entry.getValue(), out);
          separator = " ";
        }
        out.append(']');
      }
      case JsonArray array -> {
        out.append('[');
        for (int i = 0; i < array.size() && out.length() <= LONGEST; i++) {
          if (i > 0) {
            out.append(' ');
          }
          print(array.get(i), out);
        }
        out.append(']');
      }
      case JsonString string -> out.append(string.value());
      case JsonInteger number -> out.append(number.value());
      case JsonDecimal number -> out.append(decimal(number.doubleValue()));
      case JsonBool bool -> out.append(bool.value());
      case JsonNull ignored -> out.append("<nil>");
    }
  }

  /** A float as {@code %v} prints it: the shortest digits, with an exponent from 1e+06 on. */
  public static String decimal(double number) {
    if (Double.isNaN(number) || Double.isInfinite(number)) {
      return Double.isNaN(number) ? "NaN" : number > 0 ? "+Inf" : "-Inf";
    }
    if (number == 0) {
      return "0";
    }
    var exact = new BigDecimal(Double.toString(number)).stripTrailingZeros();
    var digits = exact.unscaledValue().abs().toString();
    int exponent = digits.length() - 1 - exact.scale();
    var sign = number < 0 ? "-" : "";
    if (exponent >= -4 && exponent < 6) {
      return exact.toPlainString();
    }
    var fraction = digits.length() > 1 ? "." + digits.substring(1) : "";
    var power = Math.abs(exponent) < 10 ? "0" + Math.abs(exponent) : "" + Math.abs(exponent);
    return sign + digits.charAt(0) + fraction + (exponent < 0 ? "e-" : "e+") + power;
  }
}
