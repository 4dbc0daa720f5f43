package dev.muster.cel.problem;

import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.CelIssue;
import dev.cel.common.CelSourceLocation;
import dev.cel.common.ast.CelExpr;
import dev.cel.common.ast.CelExpr.ExprKind.Kind;
import dev.cel.common.navigation.CelNavigableAst;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Moves errors about operands of {@code &&} and {@code ||} that are no bool from the operator to
 * the operand.
 */
public final class LogicalProblems {
  private static final Pattern OPERATOR =
      Pattern.compile(
          "found no matching overload for '(_&&_|_\\|\\|_)' applied to '\\((.*?)\\)'( .*)?",
          Pattern.DOTALL);
  private static final Set<String> CONDITIONS = Set.of("bool", "dyn", "any", "*error*");

  private LogicalProblems() {}

  public static List<CelIssue> moved(List<CelIssue> issues, CelAbstractSyntaxTree tree) {
    var moved = new ArrayList<CelIssue>();
    for (var issue : issues) {
      var matcher = OPERATOR.matcher(issue.getMessage());
      var call =
          matcher.matches() ? call(issue, matcher.group(1), tree) : Optional.<CelExpr>empty();
      var types = call.isPresent() ? split(matcher.group(2)) : List.<String>of();
      if (call.isEmpty() || types.size() != call.get().call().args().size()) {
        moved.add(issue);
        continue;
      }
      for (int i = 0; i < types.size(); i++) {
        if (!CONDITIONS.contains(types.get(i)) && !types.get(i).startsWith("%")) {
          var place = location(call.get().call().args().get(i), tree);
          moved.add(
              CelIssue.formatError(
                  place.orElse(issue.getSourceLocation()),
                  "expected type 'bool' but found '" + types.get(i) + "'"));
        }
      }
    }
    return moved;
  }

  private static Optional<CelExpr> call(
      CelIssue issue, String operator, CelAbstractSyntaxTree tree) {
    return CelNavigableAst.fromAst(tree)
        .getRoot()
        .allNodes()
        .map(node -> node.expr())
        .filter(
            part ->
                part.getKind() == Kind.CALL
                    && part.call().function().equals(operator)
                    && location(part, tree).equals(Optional.of(issue.getSourceLocation())))
        .findFirst();
  }

  private static Optional<CelSourceLocation> location(CelExpr part, CelAbstractSyntaxTree tree) {
    var offset = tree.getSource().getPositionsMap().get(part.id());
    return offset == null ? Optional.empty() : tree.getSource().getOffsetLocation(offset);
  }

  /** Splits a list of types, some of which contain commas in parentheses. */
  private static List<String> split(String types) {
    var parts = new ArrayList<String>();
    int depth = 0;
    int start = 0;
    for (int i = 0; i < types.length(); i++) {
      switch (types.charAt(i)) {
        case '(' -> depth++;
        case ')' -> depth--;
        case ',' -> {
          if (depth == 0) {
            parts.add(types.substring(start, i).strip());
            start = i + 1;
          }
        }
        default -> {}
      }
    }
    parts.add(types.substring(start).strip());
    return parts;
  }
}
