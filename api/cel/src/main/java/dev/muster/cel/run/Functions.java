package dev.muster.cel.run;

import dev.muster.cel.run.function.AuthorizationFunctions;
import dev.muster.cel.run.function.Conversions;
import dev.muster.cel.run.function.FormatFunctions;
import dev.muster.cel.run.function.Function;
import dev.muster.cel.run.function.ListFunctions;
import dev.muster.cel.run.function.NetworkFunctions;
import dev.muster.cel.run.function.Operators;
import dev.muster.cel.run.function.OptionalFunctions;
import dev.muster.cel.run.function.Patterns;
import dev.muster.cel.run.function.QuantityFunctions;
import dev.muster.cel.run.function.TextFunctions;
import dev.muster.cel.run.function.TimeFunctions;
import dev.muster.cel.value.CelValues;
import dev.muster.cel.value.EvaluationException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** All functions by name; the argument values select the overload. */
final class Functions {
  private static final Map<String, Function> ALL = all();

  private Functions() {}

  private static Map<String, Function> all() {
    var all = new HashMap<String, Function>();
    Operators.addTo(all);
    Conversions.addTo(all);
    TextFunctions.addTo(all);
    ListFunctions.addTo(all);
    TimeFunctions.addTo(all);
    NetworkFunctions.addTo(all);
    QuantityFunctions.addTo(all);
    FormatFunctions.addTo(all);
    OptionalFunctions.addTo(all);
    AuthorizationFunctions.addTo(all);
    all.replaceAll(Functions::named);
    return Map.copyOf(all);
  }

  /** The function with its name in errors about arguments of the wrong type. */
  private static Function named(String name, Function function) {
    return values -> {
      try {
        return function.of(values);
      } catch (ClassCastException e) {
        throw new EvaluationException(
            "no such overload: "
                + name
                + Arrays.stream(values)
                    .map(CelValues::typeName)
                    .collect(Collectors.joining(", ", "(", ")")));
      }
    };
  }

  /**
   * A function, specialized for its constant arguments.
   *
   * @throws EvaluationException when it is known to fail
   */
  static Function find(String name, List<Step> arguments) {
    if (arguments.size() > 1
        && arguments.get(1) instanceof Constant constant
        && constant.value() instanceof String pattern
        && Patterns.isMatching(name)) {
      return named(name, Patterns.compiled(name, pattern));
    }
    var found = ALL.get(name);
    if (found == null) {
      throw new EvaluationException("no such overload: " + name);
    }
    return found;
  }
}
