package dev.muster.model.select;

import dev.muster.model.MalformedValueException;
import dev.muster.model.json.JsonArray;
import dev.muster.model.validation.FieldError;
import dev.muster.model.validation.FieldPath;
import dev.muster.model.validation.Names;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One requirement on a label.
 *
 * @param values sorted, without duplicates; empty for {@link Operator#EXISTS} and its opposite
 */
public record LabelRequirement(String key, Operator operator, List<String> values) {

  /** The maximum number of reported invalid values: each message is far longer than a value. */
  private static final int MOST_ERRORS = 100;

  /** The comparison operators and their signs in a query. */
  public enum Operator {
    EQUALS("="),
    DOUBLE_EQUALS("=="),
    NOT_EQUALS("!="),
    IN("in"),
    NOT_IN("notin"),
    EXISTS("exists"),
    DOES_NOT_EXIST("!"),
    GREATER_THAN("gt"),
    LESS_THAN("lt");

    private final String sign;

    Operator(String sign) {
      this.sign = sign;
    }

    public String sign() {
      return sign;
    }
  }

  public LabelRequirement {
    values = List.copyOf(values);
  }

  /**
   * A requirement with validated key and values.
   *
   * @throws MalformedValueException when one is invalid, with kube-apiserver's message
   */
  public static LabelRequirement checked(String key, Operator operator, List<String> values) {
    var errors = new ArrayList<FieldError>();
    var problems = Names.qualifiedName(key);
    if (!problems.isEmpty()) {
      errors.add(FieldError.invalid(FieldPath.of("key"), key, String.join("; ", problems)));
    }
    checkCount(operator, values, errors);
    var path = FieldPath.of("values");
    for (int i = 0; i < values.size() && errors.size() < MOST_ERRORS; i++) {
      var wrong = Names.labelValue(values.get(i));
      if (!wrong.isEmpty()) {
        var at = path.index(i).key(key);
        errors.add(FieldError.invalid(at, values.get(i), String.join("; ", wrong)));
      }
    }
    if (!errors.isEmpty()) {
      throw new MalformedValueException(FieldError.join(errors));
    }
    return new LabelRequirement(key, operator, values);
  }

  private static void checkCount(Operator operator, List<String> values, List<FieldError> errors) {
    var path = FieldPath.of("values");
    var detail =
        switch (operator) {
          case IN, NOT_IN ->
              values.isEmpty() ? "for 'in', 'notin' operators, values set can't be empty" : "";
          case EQUALS, DOUBLE_EQUALS, NOT_EQUALS ->
              values.size() != 1 ? "exact-match compatibility requires one single value" : "";
          case EXISTS, DOES_NOT_EXIST ->
              values.isEmpty() ? "" : "values set must be empty for exists and does not exist";
          case GREATER_THAN, LESS_THAN ->
              values.size() != 1 ? "for 'Gt', 'Lt' operators, exactly one value is required" : "";
        };
    if (!detail.isEmpty()) {
      errors.add(FieldError.invalid(path, JsonArray.ofStrings(values), detail));
    }
    if (operator == Operator.GREATER_THAN || operator == Operator.LESS_THAN) {
      for (int i = 0; i < values.size(); i++) {
        if (!isInteger(values.get(i))) {
          errors.add(
              FieldError.invalid(
                  path.index(i),
                  values.get(i),
                  "for 'Gt', 'Lt' operators, the value must be an integer"));
        }
      }
    }
  }

  /** Whether only one value of the label matches. */
  public boolean isExact() {
    return switch (operator) {
      case EQUALS, DOUBLE_EQUALS, IN -> values.size() == 1;
      case NOT_EQUALS, NOT_IN, EXISTS, DOES_NOT_EXIST, GREATER_THAN, LESS_THAN -> false;
    };
  }

  /** Whether a label with that value meets the requirement; null stands for a missing label. */
  public boolean matches(@Nullable String value) {
    return switch (operator) {
      case EQUALS, DOUBLE_EQUALS, IN -> value != null && has(value);
      case NOT_EQUALS, NOT_IN -> value == null || !has(value);
      case EXISTS -> value != null;
      case DOES_NOT_EXIST -> value == null;
      case GREATER_THAN -> value != null && isInteger(value) && Long.parseLong(value) > limit();
      case LESS_THAN -> value != null && isInteger(value) && Long.parseLong(value) < limit();
    };
  }

  private boolean has(String value) {
    for (int i = 0; i < values.size(); i++) {
      if (values.get(i).equals(value)) {
        return true;
      }
    }
    return false;
  }

  private long limit() {
    return Long.parseLong(values.getFirst());
  }

  private static boolean isInteger(String text) {
    if (text.isEmpty() || text.length() > 20) {
      return false;
    }
    int start = text.charAt(0) == '-' || text.charAt(0) == '+' ? 1 : 0;
    for (int i = start; i < text.length(); i++) {
      if (text.charAt(i) < '0' || text.charAt(i) > '9') {
        return false;
      }
    }
    if (text.length() - start < 19) {
      return text.length() > start;
    }
    try {
      Long.parseLong(text);
      return true;
    } catch (NumberFormatException tooLarge) {
      return false;
    }
  }

  @Override
  public String toString() {
    var sorted = values.toArray(new String[0]);
    Arrays.sort(sorted);
    var text = String.join(",", sorted);
    return switch (operator) {
      case EXISTS -> key;
      case DOES_NOT_EXIST -> "!" + key;
      case IN -> key + " in (" + text + ")";
      case NOT_IN -> key + " notin (" + text + ")";
      case GREATER_THAN -> key + ">" + text;
      case LESS_THAN -> key + "<" + text;
      case EQUALS, DOUBLE_EQUALS, NOT_EQUALS -> key + operator.sign() + text;
    };
  }
}
