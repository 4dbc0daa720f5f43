package dev.muster.cel.problem;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.CelIssue;
import dev.cel.common.CelSourceLocation;
import dev.cel.common.ast.CelConstant;
import dev.cel.common.ast.CelExpr;
import dev.cel.common.ast.CelExpr.ExprKind;
import dev.cel.common.navigation.CelNavigableAst;
import dev.muster.model.MalformedValueException;
import dev.muster.model.RegexSize;
import dev.muster.model.Timestamps;
import dev.muster.model.gocompat.GoDuration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;

/**
 * Finds well-typed literals that are certainly wrong: strings that are no valid pattern, duration
 * or timestamp where one is needed, lists of mixed types, placeholders that match no value.
 */
public final class LiteralProblems {
  private static final List<String> SIGNS = List.of("matches", "duration", "timestamp", "[", "{");

  private LiteralProblems() {}

  public static List<CelIssue> of(String expression, CelAbstractSyntaxTree tree) {
    if (SIGNS.stream().noneMatch(expression::contains)) {
      return List.of();
    }
    var found = new ArrayList<CelIssue>();
    var told = new HashSet<Long>();
    var mixed = new MixedLiterals(tree, (part, text) -> found.add(issue(tree, part, text)));
    var formats = new FormatProblems(tree, (part, text) -> found.add(issue(tree, part, text)));
    CelNavigableAst.fromAst(tree)
        .getRoot()
        .allNodes()
        .filter(node -> told.add(node.id()))
        .forEach(
            node -> {
              var expr = node.expr();
              if (expr.getKind() == ExprKind.Kind.CALL && isWrong(expr)) {
                var text = "invalid " + expr.call().function() + " argument";
                found.add(issue(tree, expr.call().args().getFirst(), text));
              }
              mixed.check(node);
              formats.check(expr);
            });
    return found;
  }

  private static CelIssue issue(CelAbstractSyntaxTree tree, CelExpr part, String text) {
    var offset = tree.getSource().getPositionsMap().get(part.id());
    var place = offset == null ? null : tree.getSource().getOffsetLocation(offset).orElse(null);
    return CelIssue.formatError(place == null ? CelSourceLocation.of(1, 0) : place, text);
  }

  private static boolean isWrong(CelExpr expr) {
    var call = expr.call();
    if (call.args().isEmpty()) {
      return false;
    }
    var first = call.args().getFirst();
    if (first.getKind() != ExprKind.Kind.CONSTANT) {
      return false;
    }
    return first.constant().getKind() == CelConstant.Kind.STRING_VALUE
        ? !isSound(call.function(), first.constant().stringValue())
        : call.function().equals("duration");
  }

  private static boolean isSound(String function, String text) {
    try {
      switch (function) {
        case "matches" -> {
          if (RegexSize.isTooLarge(text)) {
            return false;
          }
          Pattern.compile(text);
        }
        case "duration" -> GoDuration.parse(text);
        case "timestamp" -> Timestamps.parse(text);
        default -> {}
      }
      return true;
    } catch (PatternSyntaxException | MalformedValueException e) {
      return false;
    }
  }
}
