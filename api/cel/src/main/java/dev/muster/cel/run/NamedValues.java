package dev.muster.cel.run;

import dev.muster.cel.value.EvaluationException;

/** The steps that read variables. */
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

  /** A loop variable. */
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
