package dev.muster.cel.run;

import dev.muster.cel.run.cost.CostBudget;
import dev.muster.cel.value.CelList;
import dev.muster.cel.value.CelMap;
import dev.muster.cel.value.CelValues;
import dev.muster.cel.value.EvaluationException;

/**
 * A loop over a list or map, to which macros such as {@code all} and {@code map} expand.
 *
 * @param key the slot of the key or index if the loop has two variables, else -1
 */
record Loop(
    Step range, int key, int item, int result, Step start, Step condition, Step next, Step end)
    implements Step {

  /** The initial result, evaluated on first use. */
  record Pending(Step start, int slot) {
    Object resolve(Frame frame) {
      var value = start.evaluate(frame);
      frame.locals[slot] = value;
      return value;
    }
  }

  @Override
  public Object evaluate(Frame frame) {
    frame.locals[result] = new Pending(start, result);
    switch (range.evaluate(frame)) {
      case CelList list -> {
        for (int i = 0; i < list.size(); i++) {
          if (!step(frame, (long) i, list.get(i))) {
            break;
          }
        }
      }
      case CelMap map -> {
        for (var name : map.keys()) {
          var value = map.find(name);
          if (value != null && !step(frame, name, key < 0 ? name : value)) {
            break;
          }
        }
      }
      case Object other ->
          throw new EvaluationException(
              "got '" + CelValues.typeName(other) + "', expected iterable type");
    }
    return end.evaluate(frame);
  }

  /** Returns whether the loop continues. */
  private boolean step(Frame frame, Object name, Object value) {
    if (key >= 0) {
      frame.locals[key] = name;
    }
    frame.locals[item] = value;
    if (Boolean.FALSE.equals(condition.evaluate(frame))) {
      return false;
    }
    frame.locals[result] = next(frame);
    return true;
  }

  private Object next(Frame frame) {
    try {
      return next.evaluate(frame);
    } catch (CostBudget.ExceededException e) {
      throw e;
    } catch (EvaluationException e) {
      return new Failed(e);
    }
  }

  /** A failed result, which the next step may still turn into a value. */
  record Failed(EvaluationException problem) {}
}
