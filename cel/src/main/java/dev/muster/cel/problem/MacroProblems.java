package dev.muster.cel.problem;

import java.util.List;
import java.util.function.BiConsumer;

/** What is wrong with the arguments of macros. */
final class MacroProblems {
  private static final String NOT_SIMPLE = "argument must be a simple name";
  private static final String NO_IDENTIFIER = "argument is not an identifier";

  private final boolean bindings;
  private final BiConsumer<Part, String> problems;

  /**
   * @param bindings whether {@code cel.bind} is known
   */
  MacroProblems(boolean bindings, BiConsumer<Part, String> problems) {
    this.bindings = bindings;
    this.problems = problems;
  }

  /** What a call of a function becomes; a call if the function is no macro. */
  Part.Kind global(String function, List<Part> arguments) {
    if (!function.equals("has") || arguments.size() != 1) {
      return Part.Kind.CALL;
    }
    if (arguments.getFirst().kind() != Part.Kind.SELECTION) {
      return refuse(arguments.getFirst(), "invalid argument to has() macro");
    }
    return Part.Kind.SELECTION;
  }

  /** What a call of something's function becomes; a call if the function is no macro. */
  Part.Kind member(String function, Part target, List<Part> arguments) {
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
          arguments.getFirst().kind() == Part.Kind.IDENTIFIER
              ? Part.Kind.CALL
              : refuse(
                  arguments.getFirst(), function + "() variable name must be a simple identifier");
      case "sortBy/2" ->
          target.kind() == Part.Kind.OTHER
              ? refuse(
                  target,
                  "sortBy can only be applied to a list, identifier, comprehension, call or select"
                      + " expression")
              : loop(arguments, NO_IDENTIFIER);
      case "bind/3" -> bind(target, arguments.getFirst());
      default -> Part.Kind.CALL;
    };
  }

  private Part.Kind bind(Part target, Part variable) {
    if (!bindings || target.kind() != Part.Kind.IDENTIFIER || !target.name().equals("cel")) {
      return Part.Kind.CALL;
    }
    return variable.kind() == Part.Kind.IDENTIFIER
        ? Part.Kind.LOOP
        : refuse(variable, "cel.bind() variable names must be simple identifiers");
  }

  private Part.Kind loop(List<Part> arguments, String problem) {
    var variable = arguments.getFirst();
    if (variable.kind() != Part.Kind.IDENTIFIER) {
      return refuse(variable, problem);
    }
    return isAccumulator(variable) ? overwrites(variable) : Part.Kind.LOOP;
  }

  private Part.Kind pairs(List<Part> arguments) {
    var first = arguments.get(0);
    var second = arguments.get(1);
    if (first.kind() != Part.Kind.IDENTIFIER) {
      return refuse(first, NOT_SIMPLE);
    }
    if (second.kind() != Part.Kind.IDENTIFIER) {
      return refuse(second, NOT_SIMPLE);
    }
    if (first.name().equals(second.name())) {
      return refuse(second, "duplicate variable name: " + first.name());
    }
    if (isAccumulator(first)) {
      return overwrites(first);
    }
    return isAccumulator(second) ? overwrites(second) : Part.Kind.LOOP;
  }

  private static boolean isAccumulator(Part variable) {
    return variable.name().equals("__result__");
  }

  private Part.Kind overwrites(Part variable) {
    return refuse(variable, "iteration variable overwrites accumulator variable");
  }

  private Part.Kind refuse(Part part, String problem) {
    problems.accept(part, problem);
    return Part.Kind.OTHER;
  }
}
