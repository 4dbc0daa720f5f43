package dev.muster.cel;

import com.google.common.collect.ImmutableList;
import dev.cel.common.ast.CelExpr;
import dev.cel.common.ast.CelExpr.ExprKind.Kind;
import dev.cel.parser.CelMacro;
import dev.cel.parser.CelMacroExprFactory;
import java.util.Optional;
import java.util.Set;

/**
 * The macro {@code list.sortBy(x, key)}, which sorts a list by the keys that it computes in a loop.
 * The library's own macro loses the type of the list.
 */
final class SortBy {
  static final String FUNCTION = "@sortByAssociatedKeys";
  static final CelMacro MACRO = CelMacro.newReceiverMacro("sortBy", 2, SortBy::expand);
  private static final String INPUT = "@__sortBy_input__";

  /** Expressions that cannot be lists. */
  private static final Set<Kind> UNSORTED = Set.of(Kind.CONSTANT, Kind.MAP, Kind.STRUCT);

  private SortBy() {}

  private static Optional<CelExpr> expand(
      CelMacroExprFactory make, CelExpr target, ImmutableList<CelExpr> arguments) {
    var variable = arguments.get(0);
    if (variable.getKind() != Kind.IDENT || UNSORTED.contains(target.getKind())) {
      return Optional.of(make.reportError("The argument must be a simple name"));
    }
    var all = make.getAccumulatorVarName();
    var more = make.newGlobalCall("_+_", make.newIdentifier(all), make.newList(arguments.get(1)));
    var keys =
        make.fold(
            variable.ident().name(),
            make.newIdentifier(INPUT),
            all,
            make.newList(),
            make.newBoolLiteral(true),
            more,
            make.newIdentifier(all));
    var sorted = make.newReceiverCall(FUNCTION, make.newIdentifier(INPUT), keys);
    return Optional.of(
        make.fold(
            "#unused",
            make.newList(),
            INPUT,
            target,
            make.newBoolLiteral(false),
            make.newIdentifier(INPUT),
            sorted));
  }
}
