package dev.muster.schema.cel;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.ast.CelConstant;
import dev.cel.common.ast.CelExpr;
import dev.cel.common.ast.CelExpr.ExprKind;
import dev.cel.common.navigation.CelNavigableAst;
import dev.muster.model.GoDuration;
import dev.muster.model.MalformedValueException;
import dev.muster.model.Timestamps;
import java.util.LinkedHashMap;
import java.util.List;

/** Finds texts in an expression that are no pattern, duration or time, though they have to be. */
final class LiteralProblems {
  private static final List<String> FUNCTIONS = List.of("matches", "duration", "timestamp");

  private LiteralProblems() {}

  static String of(String expression, CelAbstractSyntaxTree tree) {
    if (FUNCTIONS.stream().noneMatch(expression::contains)) {
      return "";
    }
    var wrong = new LinkedHashMap<Long, CelExpr>();
    CelNavigableAst.fromAst(tree)
        .getRoot()
        .allNodes()
        .map(node -> node.expr())
        .filter(expr -> expr.getKind() == ExprKind.Kind.CALL && isWrong(expr))
        .forEach(expr -> wrong.putIfAbsent(expr.id(), expr));
    var told =
        wrong.values().stream()
            .limit(ProblemText.MOST_ERRORS)
            .map(expr -> problem(expression, tree, expr))
            .toList();
    return ProblemText.join(told, wrong.size());
  }

  private static boolean isWrong(CelExpr expr) {
    var call = expr.call();
    if (call.args().isEmpty()) {
      return false;
    }
    var last = call.args().getLast();
    return last.getKind() == ExprKind.Kind.CONSTANT
        && last.constant().getKind() == CelConstant.Kind.STRING_VALUE
        && !isSound(call.function(), last.constant().stringValue());
  }

  private static String problem(String expression, CelAbstractSyntaxTree tree, CelExpr expr) {
    var call = expr.call();
    var last = call.args().getLast();
    var offset = tree.getSource().getPositionsMap().get(last.id());
    int before = offset == null ? 0 : offset;
    int line = 1;
    int column = 0;
    for (int i = 0, seen = 0; seen < before && i < expression.length(); seen++) {
      int point = expression.codePointAt(i);
      i += Character.charCount(point);
      line = point == '\n' ? line + 1 : line;
      column = point == '\n' ? 0 : column + 1;
    }
    return ProblemText.at(expression, line, column, "invalid " + call.function() + " argument");
  }

  private static boolean isSound(String function, String text) {
    try {
      switch (function) {
        case "matches" -> Pattern.compile(text);
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
