package dev.muster.cel.problem;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.ast.CelConstant;
import dev.cel.common.ast.CelExpr;
import dev.cel.common.ast.CelExpr.ExprKind;
import dev.cel.common.navigation.CelNavigableAst;
import dev.cel.common.navigation.TraversalOrder;
import dev.muster.model.RegexSize;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds failures of planning: conversions of literals and patterns are evaluated once when a
 * program is planned, and a failure makes the expression unusable.
 */
public final class PlanProblems {
  private static final List<String> SIGNS =
      List.of("int(", "uint(", "double(", "bool(", "string(", "find", "matches(");
  private static final Set<String> TRUTHS =
      Set.of("1", "t", "T", "TRUE", "true", "True", "0", "f", "F", "FALSE", "false", "False");
  private static final java.util.regex.Pattern DECIMAL =
      java.util.regex.Pattern.compile("[+-]?([0-9][0-9_]*\\.?[0-9]*|\\.[0-9]+)([eE][+-]?[0-9]+)?");
  private static final java.util.regex.Pattern SPECIAL =
      java.util.regex.Pattern.compile("(?i)[+-]?(inf|infinity)|nan|[+-]?0x.*p[+-]?[0-9]+");
  private static final BigInteger UNSIGNED = BigInteger.ONE.shiftLeft(64);

  private PlanProblems() {}

  /** The first failure, or "". */
  public static String of(String expression, CelAbstractSyntaxTree tree) {
    if (SIGNS.stream().noneMatch(expression::contains)) {
      return "";
    }
    return CelNavigableAst.fromAst(tree)
        .getRoot()
        .allNodes(TraversalOrder.POST_ORDER)
        .map(node -> node.expr())
        .filter(expr -> expr.getKind() == ExprKind.Kind.CALL)
        .map(expr -> problem(expr.call()))
        .filter(problem -> !problem.isEmpty())
        .findFirst()
        .orElse("");
  }

  private static String problem(CelExpr.CelCall call) {
    var arguments = call.args();
    return switch (call.function()) {
      case "int", "uint", "double", "bool", "string" -> {
        var value = arguments.size() == 1 ? constant(arguments.getFirst()) : null;
        yield value == null ? "" : conversion(call.function(), value);
      }
      case "find", "findAll" -> arguments.isEmpty() ? "" : pattern(arguments.getFirst());
      case "matches" -> arguments.size() == 2 ? pattern(arguments.get(1)) : "";
      default -> "";
    };
  }

  private static @Nullable CelConstant constant(CelExpr expr) {
    if (expr.getKind() == ExprKind.Kind.CONSTANT) {
      return expr.constant();
    }
    return expr.getKind() == ExprKind.Kind.CALL
            && expr.call().function().equals("dyn")
            && expr.call().args().size() == 1
        ? constant(expr.call().args().getFirst())
        : null;
  }

  private static String conversion(String to, CelConstant value) {
    return switch (value.getKind()) {
      case STRING_VALUE ->
          isText(to, value.stringValue())
              ? ""
              : "type conversion error from 'string' to '" + to + "'";
      case INT64_VALUE -> to.equals("uint") && value.int64Value() < 0 ? overflow(to) : "";
      case UINT64_VALUE ->
          to.equals("int") && value.uint64Value().longValue() < 0 ? overflow(to) : "";
      case DOUBLE_VALUE -> isInRange(to, value.doubleValue()) ? "" : overflow(to);
      case BYTES_VALUE ->
          to.equals("string") && !value.bytesValue().isValidUtf8()
              ? "invalid UTF-8 in bytes, cannot convert to string"
              : "";
      default -> "";
    };
  }

  private static String overflow(String to) {
    return to.equals("uint") ? "unsigned integer overflow" : "integer overflow";
  }

  private static boolean isInRange(String to, double value) {
    return switch (to) {
      case "int" -> value > -0x1p63 && value < 0x1p63;
      case "uint" -> value >= 0 && value < 0x1p64;
      default -> true;
    };
  }

  private static boolean isText(String to, String text) {
    return switch (to) {
      case "bool" -> TRUTHS.contains(text);
      case "int" -> text.matches("[+-]?[0-9]+") && new BigInteger(text).bitLength() < 64;
      case "uint" -> text.matches("[0-9]+") && new BigInteger(text).compareTo(UNSIGNED) < 0;
      case "double" -> isDouble(text);
      default -> true;
    };
  }

  private static boolean isDouble(String text) {
    if (SPECIAL.matcher(text).matches()) {
      return true;
    }
    return text.length() < 1000
        && DECIMAL.matcher(text).matches()
        && Double.isFinite(new BigDecimal(text.replace("_", "")).doubleValue());
  }

  private static String pattern(CelExpr expr) {
    var value = constant(expr);
    if (value == null || value.getKind() != CelConstant.Kind.STRING_VALUE) {
      return "";
    }
    if (RegexSize.isTooLarge(value.stringValue())) {
      return "error parsing regexp: " + RegexSize.TOO_LARGE;
    }
    try {
      Pattern.compile(value.stringValue());
      return "";
    } catch (PatternSyntaxException e) {
      var text = String.valueOf(e.getMessage());
      return text.startsWith("error parsing") ? text : "error parsing regexp: " + text;
    }
  }
}
