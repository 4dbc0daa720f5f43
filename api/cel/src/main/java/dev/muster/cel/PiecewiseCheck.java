package dev.muster.cel;

import com.google.common.collect.ImmutableList;
import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.CelSource;
import dev.cel.common.ast.CelExpr;
import dev.cel.common.ast.CelReference;
import dev.cel.common.types.CelType;
import dev.cel.common.types.SimpleType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Checks a large expression in pieces. The CEL library's time grows with the square of an
 * expression's size, because it copies its type information at every call. Pieces are therefore
 * checked separately, and variables of their types replace them in the rest. Only one thread uses
 * it, for one expression.
 */
final class PiecewiseCheck {
  /** The size of a piece in nodes. */
  private static final int PIECE = 150;

  /** Pieces with fewer nodes are not checked separately. */
  private static final int SMALLEST = 3;

  private final CheckingEnvironment environment;
  private final CelSource source;
  private final Map<Long, CelReference> references = new LinkedHashMap<>();
  private final Map<Long, CelType> types = new LinkedHashMap<>();

  /** The checked pieces by ID, without the pieces inside them. */
  private final Map<Long, CelExpr> pieces = new HashMap<>();

  private PiecewiseCheck(CheckingEnvironment environment, CelSource source) {
    this.environment = environment;
    this.source = source;
  }

  static CelAbstractSyntaxTree check(
      CheckingEnvironment environment, CelAbstractSyntaxTree parsed) {
    if (parsed.getSource().getPositionsMap().size() <= PIECE) {
      return environment.check(parsed);
    }
    var check = new PiecewiseCheck(environment, parsed.getSource());
    var rest = check.inside(parsed.getExpr());
    var whole = check.assemble(check.checked(rest.expr()));
    return CelAbstractSyntaxTree.newCheckedAst(
        whole, parsed.getSource(), check.references, check.types);
  }

  /** An expression with pieces replaced, and its number of remaining nodes. */
  private record Cut(CelExpr expr, int nodes) {}

  /**
   * Checks all pieces that are large enough, innermost first.
   *
   * @param before the number of nodes already beside it
   */
  private Cut cut(CelExpr expr, int before) {
    var cut = inside(expr);
    if (cut.nodes() < SMALLEST || before + cut.nodes() < PIECE || !isClosed(expr)) {
      return cut;
    }
    var checked = checked(cut.expr());
    pieces.put(expr.id(), checked);
    var name = "@piece" + expr.id();
    var type = types.get(expr.id());
    environment.declare(name, type == null ? SimpleType.DYN : type);
    return new Cut(CelExpr.ofIdent(expr.id(), name), 1);
  }

  private Cut inside(CelExpr expr) {
    return switch (expr.getKind()) {
      case CALL -> call(expr);
      case LIST -> list(expr);
      case MAP -> map(expr);
      default -> new Cut(expr, nodes(expr));
    };
  }

  private static boolean isClosed(CelExpr expr) {
    return switch (expr.getKind()) {
      case CALL, LIST, MAP -> true;
      default -> false;
    };
  }

  private Cut call(CelExpr expr) {
    int nodes = 1;
    var target = expr.call().target().map(inner -> cut(inner, 0));
    nodes += target.map(Cut::nodes).orElse(0);
    var arguments = ImmutableList.<CelExpr>builder();
    for (var argument : expr.call().args()) {
      var inner = cut(argument, nodes);
      nodes += inner.nodes();
      arguments.add(inner.expr());
    }
    return new Cut(
        CelExpr.ofCall(expr.id(), target.map(Cut::expr), expr.call().function(), arguments.build()),
        nodes);
  }

  private Cut list(CelExpr expr) {
    int nodes = 1;
    var elements = ImmutableList.<CelExpr>builder();
    for (var element : expr.list().elements()) {
      var inner = cut(element, nodes);
      nodes += inner.nodes();
      elements.add(inner.expr());
    }
    return new Cut(
        CelExpr.ofList(expr.id(), elements.build(), expr.list().optionalIndices()), nodes);
  }

  private Cut map(CelExpr expr) {
    int nodes = 1;
    var entries = ImmutableList.<CelExpr.CelMap.Entry>builder();
    for (var entry : expr.map().entries()) {
      var key = cut(entry.key(), nodes);
      var value = cut(entry.value(), nodes + key.nodes());
      nodes += key.nodes() + value.nodes();
      entries.add(CelExpr.ofMapEntry(entry.id(), key.expr(), value.expr(), entry.optionalEntry()));
    }
    return new Cut(CelExpr.ofMap(expr.id(), entries.build()), nodes);
  }

  /** Checks one piece and stores its type. */
  private CelExpr checked(CelExpr piece) {
    var positions = new ArrayList<Long>();
    ids(piece, positions);
    var part = CelSource.newBuilder().setDescription(source.getDescription());
    for (long id : positions) {
      var position = source.getPositionsMap().get(id);
      if (position != null) {
        part.addPositions(id, position);
      }
    }
    var tree = environment.check(CelAbstractSyntaxTree.newParsedAst(piece, part.build()));
    tree.getTypeMap().forEach(types::putIfAbsent);
    tree.getReferenceMap()
        .forEach(
            (id, reference) -> {
              if (!pieces.containsKey(id)) {
                references.put(id, reference);
              }
            });
    return tree.getExpr();
  }

  /** The checked expression with its pieces inserted again. */
  private CelExpr assemble(CelExpr expr) {
    var piece = pieces.remove(expr.id());
    var known = piece == null ? expr : piece;
    return switch (known.getKind()) {
      case CALL ->
          CelExpr.ofCall(
              known.id(),
              known.call().target().map(this::assemble),
              known.call().function(),
              all(known.call().args()));
      case LIST ->
          CelExpr.ofList(known.id(), all(known.list().elements()), known.list().optionalIndices());
      case MAP ->
          CelExpr.ofMap(
              known.id(),
              known.map().entries().stream()
                  .map(
                      entry ->
                          CelExpr.ofMapEntry(
                              entry.id(),
                              assemble(entry.key()),
                              assemble(entry.value()),
                              entry.optionalEntry()))
                  .collect(ImmutableList.toImmutableList()));
      default -> known;
    };
  }

  private ImmutableList<CelExpr> all(List<CelExpr> exprs) {
    return exprs.stream().map(this::assemble).collect(ImmutableList.toImmutableList());
  }

  private static int nodes(CelExpr expr) {
    var ids = new ArrayList<Long>();
    ids(expr, ids);
    return ids.size();
  }

  /** Collects the IDs of an expression and all its parts. */
  private static void ids(CelExpr expr, List<Long> found) {
    found.add(expr.id());
    switch (expr.getKind()) {
      case SELECT -> ids(expr.select().operand(), found);
      case CALL -> {
        expr.call().target().ifPresent(target -> ids(target, found));
        expr.call().args().forEach(argument -> ids(argument, found));
      }
      case LIST -> expr.list().elements().forEach(element -> ids(element, found));
      case STRUCT ->
          expr.struct()
              .entries()
              .forEach(
                  entry -> {
                    found.add(entry.id());
                    ids(entry.value(), found);
                  });
      case MAP ->
          expr.map()
              .entries()
              .forEach(
                  entry -> {
                    found.add(entry.id());
                    ids(entry.key(), found);
                    ids(entry.value(), found);
                  });
      case COMPREHENSION -> {
        var loop = expr.comprehension();
        for (var inner :
            List.of(
                loop.iterRange(),
                loop.accuInit(),
                loop.loopCondition(),
                loop.loopStep(),
                loop.result())) {
          ids(inner, found);
        }
      }
      default -> {}
    }
  }
}
