package dev.muster.cel.run;

import dev.muster.cel.value.CelOptional;
import java.util.ArrayList;
import java.util.List;

/**
 * A value and a path into it, such as {@code self.spec.items[0]}.
 *
 * @param cost the cost of the value itself, beside the steps that compute it
 * @param isTest whether it only tests that the end of the path exists
 */
record Attribute(Step base, long cost, List<Qualifier> qualifiers, boolean isTest) implements Step {

  static Attribute of(Step base, long cost) {
    return new Attribute(base, cost, List.of(), false);
  }

  /** An attribute without cost of its own, because the expression around it is charged. */
  static Step free(Step step) {
    return step instanceof Attribute attribute
        ? new Attribute(attribute.base, 0, attribute.qualifiers, attribute.isTest)
        : step;
  }

  Attribute with(Qualifier qualifier) {
    var longer = new ArrayList<>(qualifiers);
    longer.add(qualifier);
    return new Attribute(base, cost, List.copyOf(longer), false);
  }

  /** The same attribute as a test that the last step of the path exists. */
  Attribute asTest() {
    return new Attribute(base, 0, qualifiers, true);
  }

  @Override
  public Object evaluate(Frame frame) {
    frame.charge(cost);
    var value = base.evaluate(frame);
    boolean optional = false;
    if (value instanceof CelOptional start && !qualifiers.isEmpty()) {
      if (start.value() == null) {
        return isTest ? false : start;
      }
      value = start.value();
      optional = true;
    }
    int last = qualifiers.size() - 1;
    for (int i = 0; i <= last; i++) {
      var qualifier = qualifiers.get(i);
      boolean ends = isTest && i == last;
      optional = optional || qualifier.isOptional();
      if (!optional && !ends) {
        value = qualifier.of(frame, value);
        continue;
      }
      var found = qualifier.ifPresent(frame, value);
      if (ends) {
        frame.charge(found == null ? 1 : 0);
        return found != null;
      }
      if (found == null) {
        return CelOptional.NONE;
      }
      value = found;
    }
    return optional ? new CelOptional(value) : value;
  }
}
