package dev.muster.cel;

import static dev.muster.cel.CostRange.ONE;
import static dev.muster.cel.CostRange.UNKNOWN;
import static dev.muster.cel.CostRange.ZERO;
import static dev.muster.cel.CostRange.fixed;

import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.ast.CelConstant;
import dev.cel.common.ast.CelExpr;
import dev.cel.common.ast.CelExpr.ExprKind.Kind;
import dev.cel.common.types.CelKind;
import dev.cel.common.types.CelType;
import dev.cel.common.types.OptionalType;
import dev.cel.common.types.SimpleType;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Estimates the cost of evaluating an expression, in kube-apiserver's units: about one for each
 * step, each visited list element, and each ten characters of a string. Not thread-safe.
 */
public final class CostEstimate {
  private static final CostRange LIST = fixed(10);
  private static final CostRange MAP = fixed(30);
  private static final CostRange STRUCT = fixed(40);

  /** A part of an expression, with what the cost functions need to know about it. */
  record Node(
      List<String> path, CelType type, @Nullable CelExpr expression, @Nullable CostRange known) {}

  /** The sizes of the keys and values of a list or map. */
  record Entry(boolean list, CostRange key, CostRange value) {
    static @Nullable Entry either(@Nullable Entry one, @Nullable Entry other) {
      return one == null || other == null
          ? null
          : new Entry(one.list, one.key.or(other.key), one.value.or(other.value));
    }
  }

  private record Local(List<String> path, @Nullable CostRange size, @Nullable Entry entry) {}

  private final CelAbstractSyntaxTree tree;
  private final SizeHints hints;
  private final FunctionCosts functions = new FunctionCosts(this);
  private final Map<Long, List<String>> paths = new HashMap<>();
  private final Map<Long, CostRange> sizes = new HashMap<>();
  private final Map<Long, Entry> entries = new HashMap<>();
  private final Map<String, Deque<Local>> locals = new HashMap<>();

  private CostEstimate(CelAbstractSyntaxTree tree, SizeHints hints) {
    this.tree = tree;
    this.hints = hints;
  }

  /** The maximum cost of the expression. */
  public static long most(Checked.Sound expression, SizeHints hints) {
    var tree = expression.tree();
    return new CostEstimate(tree, hints).cost(tree.getExpr()).max();
  }

  private CostRange cost(CelExpr part) {
    return switch (part.getKind()) {
      case IDENT -> {
        var name = part.ident().name();
        var local = local(name);
        paths.put(part.id(), local == null ? List.of(name) : local.path());
        yield ONE;
      }
      case SELECT -> select(part);
      case CALL -> call(part);
      case LIST -> list(part);
      case MAP -> map(part);
      case STRUCT -> {
        var sum = STRUCT;
        for (var field : part.struct().entries()) {
          sum = sum.plus(cost(field.value()));
        }
        yield sum;
      }
      case COMPREHENSION -> isBinding(part) ? binding(part) : comprehension(part);
      case CONSTANT, NOT_SET -> ZERO;
    };
  }

  private CostRange select(CelExpr part) {
    var select = part.select();
    var sum = cost(select.operand());
    if (select.testOnly()) {
      return sum;
    }
    paths.put(part.id(), longer(path(select.operand()), select.field()));
    return switch (type(select.operand()).kind()) {
      case MAP, STRUCT, TYPE_PARAM -> sum.plus(ONE);
      default -> sum;
    };
  }

  private CostRange call(CelExpr part) {
    var call = part.call();
    if (call.function().equals("dyn")) {
      var argument = call.args().getFirst();
      var cost = cost(argument).plus(ONE);
      setSize(part, size(argument));
      setEntry(part, entry(argument));
      return cost;
    }
    var costs = new ArrayList<CostRange>();
    var nodes = new ArrayList<Node>();
    for (var argument : call.args()) {
      costs.add(cost(argument));
      nodes.add(node(argument));
    }
    var overloads = tree.getReference(part.id()).map(found -> found.overloadIds());
    if (overloads.isEmpty() || overloads.get().isEmpty()) {
      return ZERO;
    }
    var sum = ZERO;
    Node target = null;
    if (call.target().isPresent()) {
      sum = cost(call.target().get());
      target = node(call.target().get());
    }
    var most = new CostRange(Long.MAX_VALUE, 0);
    CostRange size = null;
    for (var overload : overloads.get()) {
      var found = functions.of(part, overload, target, nodes, costs);
      most = most.or(found.cost());
      size = found.size() == null ? size : size == null ? found.size() : size.or(found.size());
      boolean list = overload.equals("index_list");
      if (list || overload.equals("index_map")) {
        var entry = entry(call.args().getFirst());
        size = entry == null ? null : entry.value();
        paths.put(part.id(), longer(path(call.args().getFirst()), list ? "@items" : "@values"));
      }
      size = size == null ? size(part) : size;
    }
    setSize(part, size);
    return sum.plus(most);
  }

  private CostRange list(CelExpr part) {
    var elements = part.list().elements();
    var sum = LIST;
    var item = new CostRange(elements.isEmpty() ? 0 : Long.MAX_VALUE, 0);
    for (var element : elements) {
      sum = sum.plus(cost(element));
      item = item.or(sizeOrUnknown(element));
    }
    setEntry(part, new Entry(true, ONE, item));
    return sum;
  }

  private CostRange map(CelExpr part) {
    var members = part.map().entries();
    var sum = MAP;
    var key = new CostRange(members.isEmpty() ? 0 : Long.MAX_VALUE, 0);
    var value = key;
    for (var member : members) {
      sum = sum.plus(cost(member.key())).plus(cost(member.value()));
      key = key.or(sizeOrUnknown(member.key()));
      value = value.or(sizeOrUnknown(member.value()));
    }
    setEntry(part, new Entry(false, key, value));
    return sum;
  }

  private static boolean isBinding(CelExpr part) {
    var loop = part.comprehension();
    return loop.iterRange().getKind() == Kind.LIST
        && loop.iterRange().list().elements().isEmpty()
        && loop.loopCondition().getKind() == Kind.CONSTANT
        && loop.loopCondition().constant().equals(CelConstant.ofValue(false))
        && !loop.accuVar().equals("__result__");
  }

  private CostRange binding(CelExpr part) {
    var loop = part.comprehension();
    var sum = cost(loop.iterRange()).plus(cost(loop.accuInit()));
    pushLocal(loop.accuVar(), loop.accuInit());
    sum = sum.plus(cost(loop.result()));
    setSize(part, size(loop.result()));
    setEntry(part, entry(loop.result()));
    pop(loop.accuVar());
    return sum;
  }

  private CostRange comprehension(CelExpr part) {
    var loop = part.comprehension();
    var sum = cost(loop.iterRange()).plus(cost(loop.accuInit()));
    pushLocal(loop.accuVar(), loop.accuInit());
    boolean two = !loop.iterVar2().isEmpty();
    var entry = entry(loop.iterRange());
    boolean list = entry == null ? type(loop.iterRange()).kind() == CelKind.LIST : entry.list();
    var path = path(loop.iterRange());
    var keys = entry == null ? null : entry.key();
    var values = entry == null ? null : entry.value();
    if (two) {
      push(loop.iterVar(), new Local(longer(path, list ? "@indices" : "@keys"), keys, null));
      push(loop.iterVar2(), new Local(longer(path, list ? "@items" : "@values"), values, null));
    } else {
      push(
          loop.iterVar(),
          new Local(longer(path, list ? "@items" : "@keys"), list ? values : keys, null));
    }
    var each = cost(loop.loopCondition()).plus(cost(loop.loopStep()));
    pop(loop.iterVar());
    if (two) {
      pop(loop.iterVar2());
    }
    sum = sum.plus(cost(loop.result()));
    pop(loop.accuVar());
    var count = sizeOrUnknown(loop.iterRange());
    sum = sum.plus(count.times(each));
    switch (loop.accuInit().getKind()) {
      case CONSTANT -> setSize(part, size(loop.accuInit()));
      case LIST, MAP -> {
        setSize(part, count);
        setEntry(part, entry(loop.loopStep()));
      }
      default -> {}
    }
    return sum;
  }

  private void pushLocal(String name, CelExpr value) {
    push(name, new Local(path(value), size(value), entry(value)));
  }

  private void push(String name, Local local) {
    locals.computeIfAbsent(name, ignored -> new ArrayDeque<>()).push(local);
  }

  private void pop(String name) {
    var stack = locals.get(name);
    if (stack != null) {
      stack.pop();
    }
  }

  private @Nullable Local local(String name) {
    var stack = locals.get(name);
    return stack == null ? null : stack.peek();
  }

  private @Nullable Local local(CelExpr part) {
    return part.getKind() == Kind.IDENT ? local(part.ident().name()) : null;
  }

  private CelType type(CelExpr part) {
    return tree.getType(part.id()).orElse(SimpleType.DYN);
  }

  private List<String> path(CelExpr part) {
    var local = local(part);
    return local == null ? paths.getOrDefault(part.id(), List.of()) : local.path();
  }

  static List<String> longer(List<String> path, String name) {
    var longer = new ArrayList<>(path);
    longer.add(name);
    return longer;
  }

  private Node node(CelExpr part) {
    var path = path(part);
    boolean hidden =
        !path.isEmpty()
            && (path.getFirst().equals("__result__") || path.getFirst().equals("@result"));
    return new Node(hidden ? List.of() : path, type(part), part, size(part));
  }

  private void setSize(CelExpr part, @Nullable CostRange size) {
    if (size != null) {
      sizes.put(part.id(), size);
    }
  }

  void setEntry(CelExpr part, @Nullable Entry entry) {
    if (entry != null) {
      entries.put(part.id(), entry);
    }
  }

  @Nullable Entry entry(@Nullable CelExpr part) {
    if (part == null) {
      return null;
    }
    var found = entries.get(part.id());
    var local = local(part);
    return found == null && local != null ? local.entry() : found;
  }

  private CostRange sizeOrUnknown(CelExpr part) {
    var size = size(part);
    return size == null ? UNKNOWN : size;
  }

  /** The size of an argument, from the expression and the hints. */
  CostRange size(Node node) {
    if (node.known() != null) {
      return node.known();
    }
    var size = hinted(node.path());
    return size == null ? UNKNOWN : size;
  }

  private @Nullable CostRange hinted(List<String> path) {
    return path.isEmpty() ? null : hints.size(path);
  }

  private @Nullable CostRange size(CelExpr part) {
    var found = sizes.get(part.id());
    found = found == null ? literalSize(part) : found;
    if (found != null) {
      return found;
    }
    var hinted = hinted(path(part));
    if (hinted != null) {
      sizes.put(part.id(), hinted);
      return hinted;
    }
    if (isScalar(type(part))) {
      return ONE;
    }
    var local = local(part);
    return local == null ? null : local.size();
  }

  private static @Nullable CostRange literalSize(CelExpr part) {
    return switch (part.getKind()) {
      case CONSTANT -> {
        var constant = part.constant();
        yield switch (constant.getKind()) {
          case STRING_VALUE -> {
            var text = constant.stringValue();
            yield fixed(text.codePointCount(0, text.length()));
          }
          case BYTES_VALUE -> fixed(constant.bytesValue().size());
          default -> ONE;
        };
      }
      case LIST -> fixed(part.list().elements().size());
      case MAP -> fixed(part.map().entries().size());
      default -> null;
    };
  }

  private static boolean isScalar(CelType type) {
    return switch (type.kind()) {
      case BOOL, DOUBLE, DURATION, INT, TIMESTAMP, UINT -> true;
      case OPAQUE ->
          type instanceof OptionalType optional && isScalar(optional.parameters().getFirst());
      default -> false;
    };
  }
}
