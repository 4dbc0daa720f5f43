package dev.muster.cel.problem;

import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.CelSource;
import dev.cel.common.ast.CelExpr;
import dev.cel.common.ast.CelExpr.ExprKind;
import dev.cel.common.navigation.CelNavigableAst;

/**
 * Corrects the position of negative numbers to that of their sign; the library reports the position
 * after it.
 */
public final class SignedLiterals {
  private SignedLiterals() {}

  public static CelAbstractSyntaxTree placed(String expression, CelAbstractSyntaxTree tree) {
    if (expression.indexOf('-') < 0) {
      return tree;
    }
    var points = expression.codePoints().toArray();
    var source = tree.getSource().toBuilder();
    CelNavigableAst.fromAst(tree)
        .getRoot()
        .allNodes()
        .map(node -> node.expr())
        .filter(SignedLiterals::isNegative)
        .forEach(expr -> place(expr, points, source));
    return CelAbstractSyntaxTree.newParsedAst(tree.getExpr(), source.build());
  }

  private static boolean isNegative(CelExpr expr) {
    if (expr.getKind() != ExprKind.Kind.CONSTANT) {
      return false;
    }
    return switch (expr.constant().getKind()) {
      case INT64_VALUE -> expr.constant().int64Value() <= 0;
      case DOUBLE_VALUE -> expr.constant().doubleValue() <= 0;
      default -> false;
    };
  }

  private static void place(CelExpr expr, int[] points, CelSource.Builder source) {
    var offset = source.getPositionsMap().get(expr.id());
    int at = offset == null ? -1 : offset - 1;
    while (at >= 0 && Character.isWhitespace(points[at])) {
      at--;
    }
    if (at >= 0 && points[at] == '-' && offset != null && points[offset] != '-') {
      source.addPositions(expr.id(), at);
    }
  }
}
