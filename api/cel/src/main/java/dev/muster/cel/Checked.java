package dev.muster.cel;

import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.ast.CelConstant;
import dev.cel.common.ast.CelExpr;
import dev.cel.common.navigation.CelNavigableAst;
import dev.cel.common.navigation.CelNavigableExpr;
import dev.cel.common.types.CelType;
import dev.muster.cel.problem.PlanProblems;
import dev.muster.cel.problem.TypeNames;

/** The result of checking an expression. */
public sealed interface Checked {

  String OPTIONAL_SELECT = "_?._";

  /** A valid expression; its type is printed as kube-apiserver prints it. */
  record Sound(CelAbstractSyntaxTree tree) implements Checked {
    public CelType celType() {
      return tree.getResultType();
    }

    /** Whether the expression refers to that variable. */
    public boolean refersTo(String variable) {
      return tree.getReferenceMap().values().stream()
          .anyMatch(reference -> reference.name().equals(variable));
    }

    /** Whether the expression selects that field of the variable, optionally or not. */
    public boolean selects(String variable, String field) {
      return CelNavigableAst.fromAst(tree)
          .getRoot()
          .allNodes()
          .map(CelNavigableExpr::expr)
          .anyMatch(part -> selects(part, variable, field));
    }

    private static boolean selects(CelExpr part, String variable, String field) {
      return switch (part.getKind()) {
        case SELECT ->
            part.select().field().equals(field) && isVariable(part.select().operand(), variable);
        case CALL ->
            part.call().function().equals(OPTIONAL_SELECT)
                && part.call().args().size() == 2
                && isVariable(part.call().args().getFirst(), variable)
                && part.call().args().getLast().constantOrDefault().getKind()
                    == CelConstant.Kind.STRING_VALUE
                && part.call().args().getLast().constant().stringValue().equals(field);
        default -> false;
      };
    }

    private static boolean isVariable(CelExpr part, String variable) {
      return part.identOrDefault().name().equals(variable);
    }

    /** Why a valid expression can never be evaluated, or "". */
    public String unplanned(String expression) {
      return PlanProblems.of(expression, tree);
    }

    public String type() {
      return TypeNames.of(celType());
    }
  }

  /** An invalid expression; the text has several lines. */
  record Unsound(String problem) implements Checked {}
}
