package dev.muster.cel;

import com.google.common.base.Optional;
import dev.cel.checker.CelIdentDecl;
import dev.cel.checker.Env;
import dev.cel.checker.ExprChecker;
import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.CelContainer;
import dev.cel.common.CelFunctionDecl;
import dev.cel.common.CelIssue;
import dev.cel.common.CelSourceLocation;
import dev.cel.common.internal.EnvVisitor;
import dev.cel.common.internal.Errors;
import dev.cel.common.types.CelType;
import dev.cel.common.types.OpaqueType;
import dev.cel.common.types.SimpleType;
import dev.cel.common.types.TypeType;
import dev.cel.expr.Decl;
import dev.cel.parser.CelMacro;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * The declarations of all functions, reused for many expressions. The CEL library declares them
 * anew for each expression, which takes ten times as long as checking a short one. Only one thread
 * at a time uses an environment; idle environments wait for reuse.
 */
@SuppressWarnings("deprecation")
final class CheckingEnvironment {
  private static final int MOST_IDLE = 4;
  private static final int MOST_ERRORS = 100;

  /** Types that expressions can name, beside the library's own. */
  private static final Map<String, CelType> TYPES =
      Map.of(
          "duration",
          SimpleType.DURATION,
          "google.protobuf.Duration",
          SimpleType.DURATION,
          "timestamp",
          SimpleType.TIMESTAMP,
          "google.protobuf.Timestamp",
          SimpleType.TIMESTAMP,
          "net.IP",
          OpaqueType.create("net.IP"),
          "net.CIDR",
          OpaqueType.create("net.CIDR"));

  private static final CelContainer TOP = CelContainer.ofName("");
  private static final ArrayDeque<CheckingEnvironment> IDLE = new ArrayDeque<>();

  private final Errors errors = new Errors("<input>", "");
  private final SwitchedTypes types =
      new SwitchedTypes(ExpressionChecker.standard().getTypeProvider());
  private final Env env;
  private int before;

  private CheckingEnvironment() {
    env = Env.unconfigured(errors, types, ExpressionChecker.OPTIONS);
    Declared.ALL.functions.forEach(env.getDeclGroup()::putFunction);
    Declared.ALL.idents.forEach(env.getDeclGroup()::putIdent);
    TYPES.forEach(
        (name, type) ->
            env.getDeclGroup()
                .putIdent(CelIdentDecl.newIdentDeclaration(name, TypeType.create(type))));
  }

  /** Takes an environment that no other thread uses. */
  static CheckingEnvironment take() {
    synchronized (IDLE) {
      var idle = IDLE.poll();
      if (idle != null) {
        return idle;
      }
    }
    return new CheckingEnvironment();
  }

  /**
   * Returns the environment for reuse, unless it knows a struct that other expressions must not
   * know, or has accumulated too many errors. The library forgets neither.
   */
  void giveBack() {
    if (errors.getErrorCount() >= MOST_ERRORS || types.found.stream().anyMatch(this::remembers)) {
      return;
    }
    synchronized (IDLE) {
      if (IDLE.size() < MOST_IDLE) {
        IDLE.push(this);
      }
    }
  }

  /**
   * Whether the struct is known from an earlier expression; the library never forgets structs that
   * expressions name.
   */
  private boolean remembers(String struct) {
    return env.getDeclGroup(Env.ROOT_SCOPE).getIdent(struct) != null;
  }

  /** The declarations of the CEL standard and all libraries, each name once with all overloads. */
  private static final class Declared implements EnvVisitor {
    private static final Declared ALL = new Declared();

    private final List<CelFunctionDecl> functions = new ArrayList<>();
    private final List<CelIdentDecl> idents = new ArrayList<>();
    private final List<List<Decl>> scopes = new ArrayList<>();
    private String last = "";

    private Declared() {
      ExpressionChecker.standard().accept(this);
      var whole = Env.unconfigured(new Errors("", ""), StructTypes.NONE, ExpressionChecker.OPTIONS);
      for (var scope : scopes.reversed()) {
        scope.forEach(whole::add);
        whole.enterScope();
      }
      var names = new TreeSet<String>();
      scopes.forEach(scope -> scope.forEach(declaration -> names.add(declaration.getName())));
      for (var name : names) {
        var function = whole.tryLookupCelFunction(TOP, name);
        if (function != null) {
          functions.add(function);
        }
        var ident = whole.tryLookupCelIdent(TOP, name);
        if (ident != null && !name.equals("dyn")) {
          idents.add(ident);
        }
      }
    }

    /** Visits inner scopes first; within a scope, names are sorted. */
    @Override
    public void visitDecl(String name, List<Decl> declarations) {
      if (scopes.isEmpty() || name.compareTo(last) <= 0) {
        scopes.add(new ArrayList<>());
      }
      last = name;
      scopes.getLast().addAll(declarations);
    }

    @Override
    public void visitMacro(CelMacro macro) {}
  }

  /**
   * Begins an expression. Only the scope directly above the common declarations can have variables
   * with a dot in their names.
   */
  void enter(
      String expression,
      StructTypes structs,
      Map<String, CelType> variables,
      List<CelFunctionDecl> functions) {
    types.current = structs;
    types.found.clear();
    errors.enterContext("<input>", expression);
    before = errors.getErrorCount();
    env.enterScope();
    functions.forEach(env::add);
    variables.forEach(this::declare);
  }

  void declare(String name, CelType type) {
    env.add(CelIdentDecl.newIdentDeclaration(name, type));
  }

  CelAbstractSyntaxTree check(CelAbstractSyntaxTree parsed) {
    return ExprChecker.typecheck(env, TOP, parsed, Optional.absent());
  }

  /** Whether the current expression knows a type of that name. */
  boolean isType(String name) {
    return types.lookupCelType(name).isPresent();
  }

  /** All errors of the current expression. */
  List<CelIssue> issues() {
    if (errors.getErrorCount() == before) {
      return List.of();
    }
    var issues = new ArrayList<CelIssue>();
    for (var error : errors.getErrors().subList(before, errors.getErrorCount())) {
      var at = errors.getPositionLocation(error.position());
      issues.add(
          CelIssue.newBuilder()
              .setSeverity(CelIssue.Severity.ERROR)
              .setExprId(error.exprId())
              .setMessage(error.rawMessage())
              .setSourceLocation(CelSourceLocation.of(at.line(), at.column() - 1))
              .build());
    }
    return issues;
  }

  void exit() {
    env.exitScope();
    errors.exitContext();
    types.current = StructTypes.NONE;
  }
}
