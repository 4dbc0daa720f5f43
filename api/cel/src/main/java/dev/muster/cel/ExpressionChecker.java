package dev.muster.cel;

import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.CelIssue;
import dev.cel.common.CelOptions;
import dev.cel.common.CelValidationException;
import dev.cel.common.CelValidationResult;
import dev.cel.common.types.CelType;
import dev.cel.common.types.OpaqueType;
import dev.cel.common.types.SimpleType;
import dev.cel.compiler.CelCompiler;
import dev.cel.compiler.CelCompilerBuilder;
import dev.cel.compiler.CelCompilerFactory;
import dev.cel.compiler.CelCompilerImpl;
import dev.cel.extensions.CelExtensions;
import dev.cel.extensions.CelListsExtensions;
import dev.cel.extensions.CelStringExtensions;
import dev.cel.parser.CelStandardMacro;
import dev.muster.cel.problem.LiteralProblems;
import dev.muster.cel.problem.LogicalProblems;
import dev.muster.cel.problem.ProblemText;
import dev.muster.cel.problem.RawLiterals;
import dev.muster.cel.problem.SignedLiterals;
import dev.muster.cel.problem.StructProblems;
import dev.muster.cel.problem.SyntaxProblems;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Checks expressions for errors and determines their types. Cheap to create: the common functions
 * are declared when the first expression is checked. Immutable and thread-safe.
 */
public final class ExpressionChecker {
  /** Functions that only some expressions can use. */
  public enum Extra {
    /** The function that escapes keys for JSON patches. */
    PATCHES,
    /** Local variables, {@code cel.bind}. */
    BINDINGS
  }

  static final CelOptions OPTIONS =
      CelOptions.current()
          .populateMacroCalls(true)
          .enableQuotedIdentifierSyntax(false)
          .enableHeterogeneousNumericComparisons(true)
          .build();

  private static final String TOO_LONG = "expression code point size exceeds limit";

  /** Valid and invalid expressions of every kind. */
  private static final List<String> REHEARSED =
      List.of(
          "object.spec.replicas <= 5 && has(object.metadata.labels) ? count in [1, 2] : count > 3",
          "object.items.all(item, item.name.startsWith('a') || item.name.matches('^b'))",
          "object.items.map(item, {'key': item.size()}).exists(one, one == {})",
          "!(quantity('1Gi').isLessThan(quantity('2Gi'))) || duration('1h') < duration('2h')",
          "object.?spec.orValue('none') + string(count) == 'x' && dyn(1) != null",
          "count == 'text'",
          "object.unfinished ==",
          "undeclared.name || 'a'.matches('[')");

  /** All string functions except one that is newer than kube-apiserver's library. */
  private static final Set<CelStringExtensions.Function> TEXT_FUNCTIONS =
      EnumSet.complementOf(EnumSet.of(CelStringExtensions.Function.REVERSE));

  /**
   * All list functions except those for which this package declares more precise types than the
   * library.
   */
  private static final Set<CelListsExtensions.Function> LIST_FUNCTIONS =
      EnumSet.complementOf(
          EnumSet.of(CelListsExtensions.Function.SORT, CelListsExtensions.Function.SORT_BY));

  /** The common declarations, without variables. */
  private static final class Standard {
    static final CelCompilerImpl COMPILER = (CelCompilerImpl) builder().build();
    static final CelCompiler WITH_BINDINGS =
        builder().addLibraries(CelExtensions.bindings()).build();
    static final ParsedExpressions PARSED = new ParsedExpressions();
    static final ParsedExpressions PARSED_WITH_BINDINGS = new ParsedExpressions();
  }

  private final Map<String, CelType> variables;
  private final StructTypes structs;
  private final Set<Extra> extras;

  private ExpressionChecker(
      Map<String, CelType> variables, StructTypes structs, Set<Extra> extras) {
    this.variables = variables;
    this.structs = structs;
    this.extras = extras;
  }

  @SuppressWarnings("deprecation")
  private static CelCompilerBuilder builder() {
    return CelCompilerFactory.standardCelCompilerBuilder()
        .setOptions(OPTIONS)
        .setStandardMacros(CelStandardMacro.STANDARD_MACROS)
        .addMacros(SortBy.MACRO)
        .addFunctionDeclarations(KubernetesFunctions.all())
        .addLibraries(
            CelExtensions.optional(),
            CelExtensions.strings(TEXT_FUNCTIONS),
            CelExtensions.sets(OPTIONS),
            CelExtensions.lists(LIST_FUNCTIONS),
            CelExtensions.comprehensions());
  }

  static CelCompilerImpl standard() {
    return Standard.COMPILER;
  }

  /**
   * A checker for expressions over these variables.
   *
   * @param extras additional functions
   */
  public static ExpressionChecker of(
      Map<String, CelType> variables, StructTypes structs, Extra... extras) {
    return new ExpressionChecker(variables, structs, Set.of(extras));
  }

  /**
   * Checks some expressions of every kind, so that all classes are loaded before the first request.
   * The first call takes up to half a second of CPU time.
   */
  public static void rehearse() {
    var checker =
        of(
            Map.of("object", SimpleType.DYN, "count", SimpleType.INT),
            new StructTypes(Map.of("Known", Map.of("name", SimpleType.STRING)), ""),
            Extra.PATCHES);
    for (var expression : REHEARSED) {
      var checked = checker.check(expression);
      if (checked instanceof Checked.Sound sound) {
        CostEstimate.most(sound, SizedType.sized(0));
      }
    }
  }

  /** The type of an authorization value, such as {@code authorizer}. */
  public static CelType authorizationType(String name) {
    return OpaqueType.create("kubernetes.authorization." + name);
  }

  public Checked check(String expression) {
    var known = extras.contains(Extra.BINDINGS) ? Standard.PARSED_WITH_BINDINGS : Standard.PARSED;
    var tree = known.find(expression);
    if (tree != null) {
      return checked(expression, tree);
    }
    var compiler = extras.contains(Extra.BINDINGS) ? Standard.WITH_BINDINGS : Standard.COMPILER;
    var result = compiler.parse(expression);
    if (result.hasError()) {
      var problems = unparsed(expression, result);
      if (!problems.isEmpty()) {
        return new Checked.Unsound(ProblemText.of(expression, problems));
      }
      result = compiler.parse(RawLiterals.masked(expression));
    }
    try {
      tree = SignedLiterals.placed(expression, result.getAst());
      known.remember(expression, tree);
      return checked(expression, tree);
    } catch (CelValidationException e) {
      return new Checked.Unsound(ProblemText.translated(expression, e.getErrors()));
    }
  }

  /** The syntax errors; empty if only the library reports one. */
  private List<CelIssue> unparsed(String expression, CelValidationResult result) {
    if (result.getErrors().getFirst().getMessage().startsWith(TOO_LONG)) {
      return result.getErrors();
    }
    return SyntaxProblems.of(expression, extras.contains(Extra.BINDINGS));
  }

  private Checked checked(String expression, CelAbstractSyntaxTree parsed) {
    var environment = CheckingEnvironment.take();
    environment.enter(
        expression,
        structs,
        variables,
        extras.contains(Extra.PATCHES) ? List.of(KubernetesFunctions.ESCAPE_KEY) : List.of());
    var tree = PiecewiseCheck.check(environment, parsed);
    var issues = environment.issues();
    if (!issues.isEmpty()) {
      issues = StructProblems.cut(issues, parsed, environment::isType);
    }
    environment.exit();
    environment.giveBack();
    if (!issues.isEmpty()) {
      var form = SyntaxProblems.of(expression, extras.contains(Extra.BINDINGS));
      if (!form.isEmpty()) {
        return new Checked.Unsound(ProblemText.of(expression, form));
      }
      var told = LogicalProblems.moved(issues, parsed);
      return new Checked.Unsound(ProblemText.translated(expression, told));
    }
    var literals = LiteralProblems.of(expression, tree);
    return literals.isEmpty()
        ? new Checked.Sound(tree)
        : new Checked.Unsound(ProblemText.of(expression, literals));
  }
}
