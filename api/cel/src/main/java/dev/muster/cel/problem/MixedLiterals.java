package dev.muster.cel.problem;

import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.ast.CelExpr;
import dev.cel.common.ast.CelExpr.ExprKind;
import dev.cel.common.navigation.CelNavigableExpr;
import dev.cel.common.types.CelType;
import dev.cel.common.types.OptionalType;
import dev.cel.common.types.SimpleType;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;

/**
 * Finds list and map literals with values of several types. They are errors, except as arguments of
 * {@code format}.
 */
final class MixedLiterals {
  private final CelAbstractSyntaxTree tree;
  private final BiConsumer<CelExpr, String> problems;

  /**
   * @param problems receives the part of another type and its error
   */
  MixedLiterals(CelAbstractSyntaxTree tree, BiConsumer<CelExpr, String> problems) {
    this.tree = tree;
    this.problems = problems;
  }

  void check(CelNavigableExpr node) {
    switch (node.expr().getKind()) {
      case LIST -> {
        if (!isFormatted(node)) {
          list(node.expr().list());
        }
      }
      case MAP -> {
        if (!isFormatted(node)) {
          map(node.expr().map());
        }
      }
      default -> {}
    }
  }

  private static boolean isFormatted(CelNavigableExpr node) {
    for (var parent = node.parent(); parent.isPresent(); parent = parent.get().parent()) {
      var around = parent.get().expr();
      if (around.getKind() == ExprKind.Kind.CALL && around.call().function().equals("format")) {
        return true;
      }
    }
    return false;
  }

  private void list(CelExpr.CelList list) {
    Optional<CelType> first = Optional.empty();
    var optional = Set.copyOf(list.optionalIndices());
    for (int i = 0; i < list.elements().size(); i++) {
      var element = list.elements().get(i);
      var type = type(element, optional.contains(i));
      if (first.isEmpty()) {
        first = Optional.of(type);
      } else if (!compare(first.get(), type, element)) {
        return;
      }
    }
  }

  private void map(CelExpr.CelMap map) {
    if (map.entries().isEmpty()) {
      return;
    }
    var first = map.entries().getFirst();
    var key = type(first.key(), false);
    var value = type(first.value(), first.optionalEntry());
    for (var entry : map.entries().subList(1, map.entries().size())) {
      compare(key, type(entry.key(), false), entry.key());
      compare(value, type(entry.value(), entry.optionalEntry()), entry.value());
    }
  }

  private boolean compare(CelType expected, CelType found, CelExpr at) {
    if (expected.equals(found)) {
      return true;
    }
    problems.accept(
        at,
        "expected type '"
            + TypeNames.inProblem(expected)
            + "' but found '"
            + TypeNames.inProblem(found)
            + "'");
    return false;
  }

  private CelType type(CelExpr expr, boolean optional) {
    var type = tree.getTypeMap().getOrDefault(expr.id(), SimpleType.DYN);
    return optional && type instanceof OptionalType wrapped
        ? wrapped.parameters().getFirst()
        : type;
  }
}
