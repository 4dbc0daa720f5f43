package dev.muster.cel.run;

import dev.muster.cel.value.EvaluationException;

/** Values by their names. */
final class NamedValues {
  private NamedValues() {}

  record Variable(String name) implements Step {
    @Override
    public Object evaluate(Frame frame) {
      var value = frame.variables.find(name);
      if (value == null) {
        throw new EvaluationException("no such attribute(s): " + name);
      }
      return value;
    }
  }

  /** A name that a loop gives to a value. */
  record Local(int slot) implements Step {
    @Override
    public Object evaluate(Frame frame) {
      var value = frame.locals[slot];
      if (value == null) {
        throw new IllegalStateException("a loop did not set its variable");
      }
      return switch (value) {
        case Loop.Pending pending -> pending.resolve(frame);
        case Loop.Failed failed -> throw failed.problem();
        default -> value;
      };
    }
  }
}
