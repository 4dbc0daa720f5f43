package dev.muster.cel.run.cost;

import dev.muster.cel.value.CelBytes;
import dev.muster.cel.value.CelList;
import dev.muster.cel.value.CelMap;
import dev.muster.cel.value.CelValues;
import dev.muster.cel.value.NamedFormat;
import dev.muster.cel.value.OpaqueValue;
import dev.muster.model.Quantity;
import dev.muster.model.address.Cidr;
import dev.muster.model.address.Ip;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Computes the actual costs of calls from their values; {@code FunctionCosts} estimates the same
 * costs.
 */
public final class Costs {
  private static final double TEXT = 0.1;
  private static final double PATTERN = 0.25;
  private static final long LIST = 10;

  private Costs() {}

  /**
   * @param overload the overload that the types selected, or ""
   * @param result null when the call failed
   */
  public static long of(
      String function, String overload, Object[] values, @Nullable Object result) {
    long own = ofFunction(function, values, result);
    return own >= 0 ? own : ofOverload(function, overload, values);
  }

  /** The cost of a function of Kubernetes or of a library, or -1. */
  private static long ofFunction(String function, Object[] values, @Nullable Object result) {
    return switch (function) {
      case "check" -> 350_000;
      case "fieldSelector", "labelSelector" -> {
        long length = CelValues.size(values[1]);
        yield LIST + part(length, TEXT) + part(part(length, 0.5), 50);
      }
      case "isSorted", "sum", "max", "min", "indexOf", "lastIndexOf" -> traversal(values[0]);
      case "url",
          "lowerAscii",
          "upperAscii",
          "substring",
          "trim",
          "jsonpatch.escapeKey",
          "cidr",
          "isIP",
          "isCIDR",
          "quantity",
          "isQuantity",
          "semver",
          "isSemver" ->
          part(CelValues.size(values[0]), TEXT);
      case "ip" -> values[0] instanceof Cidr ? 1 : part(CelValues.size(values[0]), TEXT);
      case "replace", "split", "ip.isCanonical" -> part(CelValues.size(values[0]), 2 * TEXT);
      case "join" -> part(result == null ? 1 : CelValues.size(result), 2 * TEXT);
      case "find", "findAll" -> matching(values[0], CelValues.size(values[1]));
      case "containsIP" -> {
        long range = CelValues.size(values[0]);
        yield part(2 * range, TEXT) + parsing(values[1]);
      }
      case "containsCIDR" -> {
        long range = CelValues.size(values[0]);
        yield part(2 * range, TEXT) + part(range, TEXT) + 1 + parsing(values[1]);
      }
      case "validate" ->
          values[0] instanceof NamedFormat format ? matching(values[1], format.patternSize()) : -1;
      case "_==_" ->
          switch (values[0]) {
            case Quantity ignored -> 1;
            case Ip ignored -> 1;
            case Cidr ignored -> 1;
            case OpaqueValue ignored -> 1;
            default -> -1;
          };
      case "slice", "lists.range", "reverse" ->
          making(1, result == null ? 1 : CelValues.size(result));
      case "flatten" ->
          making(
              values.length > 1 && values[1] instanceof Long depth ? depth : 1,
              CelValues.size(values[0]));
      case "distinct", "sort" -> comparing(values[0]);
      case "@sortByAssociatedKeys" -> comparing(values[1]);
      case "sets.contains", "sets.intersects" -> 1 + pairs(values);
      case "sets.equivalent" -> 1 + 2 * pairs(values);
      default -> -1;
    };
  }

  private static long ofOverload(String function, String overload, Object[] values) {
    if (function.equals("_==_") || function.equals("_!=_")) {
      return comparison(values);
    }
    return switch (overload) {
      case "starts_with_string",
          "ends_with_string",
          "string_to_bytes",
          "bytes_to_string",
          "strings_quote",
          "kubernetes_string_format_list_dyn_string" ->
          part(CelValues.size(values[0]), TEXT);
      case "in_list" -> CelValues.size(values[1]);
      case "less_string",
          "greater_string",
          "less_equals_string",
          "greater_equals_string",
          "less_bytes",
          "greater_bytes",
          "less_equals_bytes",
          "greater_equals_bytes" ->
          comparison(values);
      case "add_string", "add_bytes" ->
          part(CelValues.size(values[0]) + CelValues.size(values[1]), TEXT);
      case "matches_string", "matches" -> matching(values[0], CelValues.size(values[1]));
      case "contains_string" ->
          part(CelValues.size(values[0]), TEXT) * part(CelValues.size(values[1]), TEXT);
      default -> 1;
    };
  }

  private static long part(long size, double factor) {
    return (long) Math.ceil(size * factor);
  }

  private static long comparison(Object[] values) {
    return part(Math.min(CelValues.size(values[0]), CelValues.size(values[1])), TEXT);
  }

  private static long matching(Object text, long pattern) {
    return (long) Math.ceil((1.0 + CelValues.size(text)) * TEXT) * part(pattern, PATTERN);
  }

  private static long parsing(Object value) {
    return value instanceof String text ? part(CelValues.size(text), TEXT) : 0;
  }

  private static long pairs(Object[] values) {
    return CelValues.size(values[0]) * CelValues.size(values[1]);
  }

  private static long making(double factor, long size) {
    return (long) (size * factor) + 1 + LIST;
  }

  private static long comparing(Object value) {
    if (!(value instanceof CelList list) || list.size() == 0) {
      return making(2, 0);
    }
    boolean texts = list.get(0) instanceof String || list.get(0) instanceof CelBytes;
    long size = list.size();
    return making(texts ? 2 + TEXT : 2, size * size);
  }

  private static long traversal(Object value) {
    return switch (value) {
      case String text -> (long) (text.getBytes(StandardCharsets.UTF_8).length * TEXT);
      case CelBytes bytes -> (long) (bytes.bytes().length * TEXT);
      case CelList list -> {
        long sum = 0;
        for (int i = 0; i < list.size(); i++) {
          sum += traversal(list.get(i));
        }
        yield sum;
      }
      case CelMap map -> {
        long sum = 0;
        for (var key : map.keys()) {
          var found = map.find(key);
          sum += traversal(key) + (found == null ? 0 : traversal(found));
        }
        yield sum;
      }
      default -> 1;
    };
  }
}
