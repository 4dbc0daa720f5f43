package dev.muster.schema.cel;

import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.CelOptions;
import dev.cel.common.CelValidationException;
import dev.cel.common.types.CelType;
import dev.cel.common.types.OpaqueType;
import dev.cel.compiler.CelCompiler;
import dev.cel.compiler.CelCompilerFactory;
import dev.cel.extensions.CelExtensions;
import dev.cel.extensions.CelStringExtensions;
import dev.cel.parser.CelStandardMacro;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;

/**
 * Says of expressions whether they can be evaluated, and to what. Immutable; making one takes
 * milliseconds, so that callers keep it.
 */
public final class ExpressionChecker {
  /** What is there only for some expressions. */
  public enum Extra {
    /** The function that makes keys of patches. */
    PATCHES,
    /** Values with names, {@code cel.bind}. */
    BINDINGS
  }

  /** Lists and maps of mixed types are refused; nothing but the deprecated option does so early. */
  @SuppressWarnings("deprecation")
  private static final CelOptions OPTIONS =
      CelOptions.current()
          .enableHomogeneousLiterals(true)
          .populateMacroCalls(true)
          .enableHeterogeneousNumericComparisons(true)
          .build();

  /** All functions for texts but the one that came after those of kube-apiserver. */
  private static final Set<CelStringExtensions.Function> TEXT_FUNCTIONS =
      EnumSet.complementOf(EnumSet.of(CelStringExtensions.Function.REVERSE));

  private final CelCompiler compiler;

  private ExpressionChecker(CelCompiler compiler) {
    this.compiler = compiler;
  }

  /**
   * A checker of expressions over these variables.
   *
   * @param extras what is there only for some expressions
   */
  @SuppressWarnings("deprecation")
  public static ExpressionChecker of(
      Map<String, CelType> variables, StructTypes structs, Extra... extras) {
    var builder =
        CelCompilerFactory.standardCelCompilerBuilder()
            .setOptions(OPTIONS)
            .setStandardMacros(CelStandardMacro.STANDARD_MACROS)
            .setTypeProvider(structs)
            .addFunctionDeclarations(KubernetesFunctions.all())
            .addLibraries(
                CelExtensions.optional(),
                CelExtensions.strings(TEXT_FUNCTIONS),
                CelExtensions.sets(OPTIONS),
                CelExtensions.lists(),
                CelExtensions.comprehensions());
    for (var extra : extras) {
      switch (extra) {
        case PATCHES -> builder.addFunctionDeclarations(KubernetesFunctions.ESCAPE_KEY);
        case BINDINGS -> builder.addLibraries(CelExtensions.bindings());
      }
    }
    variables.forEach(builder::addVar);
    return new ExpressionChecker(builder.build());
  }

  /** The type of what asks whether somebody may do something. */
  public static CelType authorizationType(String name) {
    return OpaqueType.create("kubernetes.authorization." + name);
  }

  public Checked check(String expression) {
    var result = compiler.compile(expression);
    if (result.hasError()) {
      return new Checked.Unsound(ProblemText.of(expression, result.getErrors()));
    }
    CelAbstractSyntaxTree tree;
    try {
      tree = result.getAst();
    } catch (CelValidationException e) {
      return new Checked.Unsound(ProblemText.of(expression, e.getErrors()));
    }
    var literal = LiteralProblems.of(expression, tree);
    return literal.isEmpty() ? new Checked.Sound(tree) : new Checked.Unsound(literal);
  }
}
