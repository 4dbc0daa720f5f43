package dev.muster.cel.run;

import dev.muster.cel.run.cost.CostBudget;
import dev.muster.cel.run.cost.Costs;
import dev.muster.cel.run.function.Function;
import dev.muster.cel.value.CelList;
import dev.muster.cel.value.CelOptional;
import dev.muster.cel.value.CelUint;
import dev.muster.cel.value.CelValues;
import dev.muster.cel.value.EvaluationException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The steps that call functions. */
final class Calls {
  private Calls() {}

  static Step of(String name, String overload, Function function, List<Step> arguments) {
    return new Call(name, overload, function, arguments.toArray(Step[]::new));
  }

  @SuppressWarnings("ArrayRecordComponent")
  private record Call(String name, String overload, Function function, Step[] arguments)
      implements Step {
    @Override
    public Object evaluate(Frame frame) {
      var values = new Object[arguments.length];
      for (int i = 0; i < values.length; i++) {
        values[i] = arguments[i].evaluate(frame);
      }
      Object result = null;
      try {
        result = function.of(values);
        return result;
      } finally {
        frame.charge(Costs.of(name, overload, values, result));
      }
    }
  }

  /**
   * The condition of loops: false only for false; any other value, also an error, counts as true.
   */
  record NotStrictlyFalse(Step argument) implements Step {
    @Override
    public Object evaluate(Frame frame) {
      frame.charge(1);
      try {
        return !Boolean.FALSE.equals(argument.evaluate(frame));
      } catch (CostBudget.ExceededException e) {
        throw e;
      } catch (EvaluationException e) {
        return true;
      }
    }
  }

  /**
   * {@code or} and {@code orValue}, which evaluate the other side only when it is needed.
   *
   * @param staysOptional whether the result is an optional value
   */
  record Otherwise(Step optional, Step otherwise, boolean staysOptional) implements Step {
    @Override
    public Object evaluate(Frame frame) {
      if (!(optional.evaluate(frame) instanceof CelOptional found)) {
        throw EvaluationException.noSuchOverload();
      }
      if (found.value() == null) {
        return otherwise.evaluate(frame);
      }
      return staysOptional ? found : found.value();
    }
  }

  /** Tests whether a value is in a constant list. */
  record Membership(Step value, Set<Object> known) implements Step {

    /** Null when the list contains values that cannot be hashed. */
    static @Nullable Step of(Step value, Object list) {
      var known = new HashSet<Object>();
      var items = (CelList) list;
      if (items.size() == 0) {
        return new Constant(false);
      }
      for (int i = 0; i < items.size(); i++) {
        var item = items.get(i);
        switch (item) {
          case String ignored -> known.add(item);
          case Boolean ignored -> known.add(item);
          case Long ignored -> known.add(item);
          case CelUint ignored -> known.add(item);
          case Double ignored -> known.add(item);
          default -> {
            return null;
          }
        }
      }
      return new Membership(value, known);
    }

    @Override
    public Object evaluate(Frame frame) {
      var wanted = value.evaluate(frame);
      if (known.contains(wanted)) {
        return true;
      }
      return !(wanted instanceof String)
          && known.stream().anyMatch(one -> CelValues.matches(wanted, one));
    }
  }
}
