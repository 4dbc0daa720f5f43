package dev.muster.cel.run.function;

import dev.muster.cel.value.EvaluationException;
import dev.muster.cel.value.SemanticVersion;
import dev.muster.model.MalformedValueException;
import dev.muster.model.Quantity;
import java.util.Map;

/** Functions for quantities such as {@code 1Gi} and semantic versions such as {@code 1.2.3}. */
public final class QuantityFunctions {
  private QuantityFunctions() {}

  public static void addTo(Map<String, Function> all) {
    all.put("quantity", values -> quantity((String) values[0]));
    all.put("isQuantity", values -> isQuantity((String) values[0]));
    all.put("sign", values -> (long) ((Quantity) values[0]).signum());
    all.put("asInteger", values -> integer((Quantity) values[0]));
    all.put("isInteger", values -> ((Quantity) values[0]).exactValue() != null);
    all.put("asApproximateFloat", values -> ((Quantity) values[0]).doubleValue());
    all.put("add", values -> ((Quantity) values[0]).plus(amount(values[1])));
    all.put("sub", values -> ((Quantity) values[0]).minus(amount(values[1])));
    all.put("semver", values -> version(values));
    all.put("isSemver", QuantityFunctions::isVersion);
    all.put("major", values -> ((SemanticVersion) values[0]).major());
    all.put("minor", values -> ((SemanticVersion) values[0]).minor());
    all.put("patch", values -> ((SemanticVersion) values[0]).patch());
    all.put("isGreaterThan", values -> compare(values) > 0);
    all.put("isLessThan", values -> compare(values) < 0);
    all.put("compareTo", values -> (long) Integer.signum(compare(values)));
  }

  private static int compare(Object[] values) {
    return values[0] instanceof SemanticVersion version
        ? version.compareTo((SemanticVersion) values[1])
        : ((Quantity) values[0]).compareTo((Quantity) values[1]);
  }

  private static Quantity quantity(String text) {
    try {
      return Quantity.parse(text);
    } catch (MalformedValueException e) {
      throw new EvaluationException(String.valueOf(e.getMessage()));
    }
  }

  private static boolean isQuantity(String text) {
    try {
      Quantity.parse(text);
      return true;
    } catch (MalformedValueException e) {
      return false;
    }
  }

  private static Object integer(Quantity quantity) {
    var exact = quantity.exactValue();
    if (exact == null) {
      throw new EvaluationException("cannot convert value to integer");
    }
    return exact;
  }

  private static Quantity amount(Object value) {
    return value instanceof Long number ? Quantity.of(number) : (Quantity) value;
  }

  private static SemanticVersion version(Object[] values) {
    boolean tolerant = values.length > 1 && (Boolean) values[1];
    var text = (String) values[0];
    return tolerant ? SemanticVersion.parseTolerant(text) : SemanticVersion.parse(text);
  }

  private static boolean isVersion(Object[] values) {
    try {
      version(values);
      return true;
    } catch (EvaluationException e) {
      return false;
    }
  }
}
