package dev.muster.cel.run;

/** A value that is known before the evaluation, and has no cost. */
record Constant(Object value) implements Step {
  @Override
  public Object evaluate(Frame frame) {
    return value;
  }
}
