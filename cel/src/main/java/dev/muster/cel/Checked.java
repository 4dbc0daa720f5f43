package dev.muster.cel;

import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.types.CelType;

/** What came out of checking an expression. */
public sealed interface Checked {

  /** The expression is sound; the type is written as kube-apiserver writes it. */
  record Sound(CelAbstractSyntaxTree tree) implements Checked {
    public CelType celType() {
      return tree.getResultType();
    }

    /** Whether the expression looks at that variable. */
    public boolean refersTo(String variable) {
      return tree.getReferenceMap().values().stream()
          .anyMatch(reference -> reference.name().equals(variable));
    }

    /** Why the expression can never be evaluated, though its types are right, or "". */
    public String unplanned(String expression) {
      return PlanProblems.of(expression, this);
    }

    public String type() {
      return TypeNames.of(celType());
    }
  }

  /** The expression is not sound; the text goes over several lines. */
  record Unsound(String problem) implements Checked {}
}
