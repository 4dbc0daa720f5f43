package dev.muster.cel.problem;

import java.util.List;
import java.util.function.BiConsumer;

/** Finds errors in the arguments of macros. */
final class MacroProblems {
  private static final String NOT_SIMPLE = "argument must be a simple name";
  private static final String NO_IDENTIFIER = "argument is not an identifier";

  private final boolean bindings;
  private final BiConsumer<ExpressionPart, String> problems;

  /**
   * @param bindings whether {@code cel.bind} is available
   */
  MacroProblems(boolean bindings, BiConsumer<ExpressionPart, String> problems) {
    this.bindings = bindings;
    this.problems = problems;
  }

  /** The kind of expression that a global call expands to; a call if the function is no macro. */
  ExpressionPart.Kind global(String function, List<ExpressionPart> arguments) {
    if (!function.equals("has") || arguments.size() != 1) {
      return ExpressionPart.Kind.CALL;
    }
    if (arguments.getFirst().kind() != ExpressionPart.Kind.SELECTION) {
      return refuse(arguments.getFirst(), "invalid argument to has() macro");
    }
    return ExpressionPart.Kind.SELECTION;
  }

  /** The kind of expression that a member call expands to; a call if the function is no macro. */
  ExpressionPart.Kind member(
      String function, ExpressionPart target, List<ExpressionPart> arguments) {
    return switch (function + "/" + arguments.size()) {
      case "all/2", "exists/2", "exists_one/2", "existsOne/2" -> loop(arguments, NOT_SIMPLE);
      case "map/2", "map/3", "filter/2" -> loop(arguments, NO_IDENTIFIER);
      case "all/3",
          "exists/3",
          "exists_one/3",
          "existsOne/3",
          "transformList/3",
          "transformList/4",
          "transformMap/3",
          "transformMap/4",
          "transformMapEntry/3",
          "transformMapEntry/4" ->
          pairs(arguments);
      case "optMap/2", "optFlatMap/2" ->
          arguments.getFirst().kind() == ExpressionPart.Kind.IDENTIFIER
              ? ExpressionPart.Kind.CALL
              : refuse(
                  arguments.getFirst(), function + "() variable name must be a simple identifier");
      case "sortBy/2" ->
          target.kind() == ExpressionPart.Kind.OTHER
              ? refuse(
                  target,
                  "sortBy can only be applied to a list, identifier, comprehension, call or select"
                      + " expression")
              : loop(arguments, NO_IDENTIFIER);
      case "bind/3" -> bind(target, arguments.getFirst());
      default -> ExpressionPart.Kind.CALL;
    };
  }

  private ExpressionPart.Kind bind(ExpressionPart target, ExpressionPart variable) {
    if (!bindings
        || target.kind() != ExpressionPart.Kind.IDENTIFIER
        || !target.name().equals("cel")) {
      return ExpressionPart.Kind.CALL;
    }
    return variable.kind() == ExpressionPart.Kind.IDENTIFIER
        ? ExpressionPart.Kind.LOOP
        : refuse(variable, "cel.bind() variable names must be simple identifiers");
  }

  private ExpressionPart.Kind loop(List<ExpressionPart> arguments, String problem) {
    var variable = arguments.getFirst();
    if (variable.kind() != ExpressionPart.Kind.IDENTIFIER) {
      return refuse(variable, problem);
    }
    return isAccumulator(variable) ? overwrites(variable) : ExpressionPart.Kind.LOOP;
  }

  private ExpressionPart.Kind pairs(List<ExpressionPart> arguments) {
    var first = arguments.get(0);
    var second = arguments.get(1);
    if (first.kind() != ExpressionPart.Kind.IDENTIFIER) {
      return refuse(first, NOT_SIMPLE);
    }
    if (second.kind() != ExpressionPart.Kind.IDENTIFIER) {
      return refuse(second, NOT_SIMPLE);
    }
    if (first.name().equals(second.name())) {
      return refuse(second, "duplicate variable name: " + first.name());
    }
    if (isAccumulator(first)) {
      return overwrites(first);
    }
    return isAccumulator(second) ? overwrites(second) : ExpressionPart.Kind.LOOP;
  }

  private static boolean isAccumulator(ExpressionPart variable) {
    return variable.name().equals("__result__");
  }

  private ExpressionPart.Kind overwrites(ExpressionPart variable) {
    return refuse(variable, "iteration variable overwrites accumulator variable");
  }

  private ExpressionPart.Kind refuse(ExpressionPart part, String problem) {
    problems.accept(part, problem);
    return ExpressionPart.Kind.OTHER;
  }
}
