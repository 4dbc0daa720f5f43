package dev.muster.cel.problem;

import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.CelIssue;
import dev.cel.common.ast.CelExpr;
import dev.cel.common.ast.CelExpr.ExprKind;
import dev.cel.common.navigation.CelNavigableAst;
import dev.cel.common.navigation.TraversalOrder;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Reduces the errors about an unknown struct to that one error, without errors about its fields.
 */
public final class StructProblems {
  private StructProblems() {}

  /**
   * @param known whether a struct of that name is known
   */
  public static List<CelIssue> cut(
      List<CelIssue> issues, CelAbstractSyntaxTree tree, Predicate<String> known) {
    var unknown = new ArrayList<CelIssue>();
    Set<Long> within = new HashSet<>();
    CelNavigableAst.fromAst(tree)
        .getRoot()
        .allNodes(TraversalOrder.PRE_ORDER)
        .forEach(
            node -> {
              var expr = node.expr();
              boolean inner = node.parent().filter(one -> within.contains(one.id())).isPresent();
              if (inner) {
                within.add(expr.id());
              } else if (expr.getKind() == ExprKind.Kind.STRUCT && !isKnown(expr, known)) {
                within.add(expr.id());
                issue(expr, tree, unknown);
              }
            });
    if (unknown.isEmpty()) {
      return issues;
    }
    var told = new ArrayList<>(unknown);
    issues.stream().filter(issue -> !within.contains(issue.getExprId())).forEach(told::add);
    return told;
  }

  private static boolean isKnown(CelExpr expr, Predicate<String> known) {
    var name = expr.struct().messageName();
    return known.test(name.startsWith(".") ? name.substring(1) : name);
  }

  private static void issue(CelExpr expr, CelAbstractSyntaxTree tree, List<CelIssue> told) {
    var offset = tree.getSource().getPositionsMap().get(expr.id());
    if (offset != null) {
      tree.getSource()
          .getOffsetLocation(offset)
          .ifPresent(
              place ->
                  told.add(
                      CelIssue.formatError(
                          place,
                          "undeclared reference to '"
                              + expr.struct().messageName()
                              + "' (in container '')")));
    }
  }
}
