package dev.muster.cel;

import static dev.muster.cel.CostRange.ONE;
import static dev.muster.cel.CostRange.UNKNOWN;
import static dev.muster.cel.CostRange.ZERO;
import static dev.muster.cel.CostRange.fixed;

import dev.cel.common.ast.CelConstant;
import dev.cel.common.ast.CelExpr;
import dev.cel.common.types.CelKind;
import dev.muster.cel.CostEstimate.Entry;
import dev.muster.cel.CostEstimate.Node;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Estimates the costs of function calls and the sizes of their results. */
final class FunctionCosts {
  private static final double TEXT = 0.1;
  private static final double PATTERN = 0.25;
  private static final double FORMAT_PATTERN = 128;
  private static final CostRange ADDRESS = new CostRange(4, 16);

  /**
   * @param size the size of the result, if the function determines it
   */
  record Call(CostRange cost, @Nullable CostRange size) {
    private static Call of(CostRange cost) {
      return new Call(cost, null);
    }
  }

  private final CostEstimate sizes;

  FunctionCosts(CostEstimate sizes) {
    this.sizes = sizes;
  }

  /** The cost of a call, including that of its arguments. */
  Call of(
      CelExpr call,
      String overload,
      @Nullable Node target,
      List<Node> arguments,
      List<CostRange> costs) {
    var function = call.call().function();
    var special = target == null ? lists(function, arguments) : lists(function, target, arguments);
    special = special == null && target == null ? global(function, arguments) : special;
    special = special == null && target != null ? member(function, target, arguments) : special;
    var all = ZERO;
    for (var cost : costs) {
      all = all.plus(cost);
    }
    if (special != null) {
      return new Call(special.cost().plus(all), special.size());
    }
    return switch (overload) {
      case "logical_or", "logical_and" ->
          Call.of(new CostRange(costs.get(0).min(), costs.get(0).plus(costs.get(1)).max()));
      case "conditional" -> {
        var yes = arguments.get(1);
        var no = arguments.get(2);
        sizes.setEntry(
            call, Entry.either(sizes.entry(yes.expression()), sizes.entry(no.expression())));
        yield new Call(costs.get(0).plus(costs.get(1).or(costs.get(2))), known(yes).or(known(no)));
      }
      case "add_string", "add_bytes", "add_list" -> {
        var one = arguments.get(0);
        var other = arguments.get(1);
        sizes.setEntry(
            call, Entry.either(sizes.entry(one.expression()), sizes.entry(other.expression())));
        var size = known(one).plus(known(other));
        var cost = overload.equals("add_list") ? ONE : size.times(TEXT);
        yield new Call(cost.plus(all), size);
      }
      default -> {
        var found = standard(overload, target, arguments);
        yield new Call(found.cost().plus(all), found.size());
      }
    };
  }

  /** The size of an argument, as far as the expression itself tells. */
  private static CostRange known(Node node) {
    return node.known() == null ? UNKNOWN : node.known();
  }

  private static Call standard(String overload, @Nullable Node target, List<Node> arguments) {
    var first = arguments.isEmpty() ? UNKNOWN : known(arguments.getFirst());
    return switch (overload) {
      case "kubernetes_string_format_list_dyn_string" ->
          Call.of(target == null ? ONE : known(target).times(TEXT));
      case "string_to_bytes" ->
          new Call(
              first.times(TEXT), new CostRange(first.min(), CostRange.product(first.max(), 4)));
      case "bytes_to_string" ->
          new Call(first.times(TEXT), new CostRange(first.min() / 4, first.max()));
      case "strings_quote" ->
          new Call(first.times(TEXT), first.plus(ONE).times(new CostRange(1, 2)).plus(ONE));
      case "starts_with_string", "ends_with_string" -> Call.of(first.times(TEXT));
      case "in_list" -> Call.of(known(arguments.get(1)));
      case "matches_string" ->
          Call.of(
              target == null
                  ? ONE
                  : known(target).plus(ONE).times(TEXT).times(first.times(PATTERN)));
      case "contains_string" ->
          Call.of(target == null ? ONE : known(target).times(TEXT).times(first.times(TEXT)));
      case "less_string",
          "greater_string",
          "less_equals_string",
          "greater_equals_string",
          "less_bytes",
          "greater_bytes",
          "less_equals_bytes",
          "greater_equals_bytes",
          "equals",
          "not_equals" -> {
        long most = Math.min(first.max(), known(arguments.get(1)).max());
        yield Call.of(new CostRange(most > 0 ? 1 : 0, most).times(TEXT));
      }
      default -> Call.of(ONE);
    };
  }

  private @Nullable Call global(String function, List<Node> arguments) {
    if (arguments.isEmpty()) {
      return null;
    }
    var first = arguments.getFirst();
    return switch (function) {
      case "url", "jsonpatch.escapeKey" -> {
        var size = sizes.size(first);
        yield new Call(size.times(TEXT), size);
      }
      case "cidr", "isIP", "isCIDR", "ip", "quantity", "isQuantity", "semver", "isSemver" ->
          Call.of(sizes.size(first).times(TEXT));
      case "ip.isCanonical" -> Call.of(sizes.size(first).times(2 * TEXT));
      case "format.named", "sign" -> Call.of(ONE);
      case "_==_" -> equality(first, arguments.getLast());
      default -> null;
    };
  }

  private static @Nullable Call equality(Node one, Node other) {
    if (!one.type().equals(other.type())) {
      return null;
    }
    return switch (one.type().name()) {
      case "net.IP", "net.CIDR", "kubernetes.Quantity", "kubernetes.Semver" -> Call.of(ONE);
      case "kubernetes.NamedFormat" -> Call.of(new CostRange(1, 64).times(TEXT));
      case "kubernetes.URL" -> {
        long most = other.known() == null ? 1 : other.known().max();
        yield Call.of(new CostRange(1, most).times(TEXT));
      }
      default -> one.type().name().startsWith("kubernetes.authorization.") ? Call.of(ONE) : null;
    };
  }

  private @Nullable Call member(String function, Node target, List<Node> arguments) {
    return switch (function) {
      case "check" -> Call.of(fixed(350000));
      case "serviceAccount",
          "path",
          "group",
          "resource",
          "subresource",
          "namespace",
          "name",
          "allowed",
          "reason",
          "error",
          "errored",
          "ip",
          "masked",
          "prefixLength",
          "family",
          "isUnspecified",
          "isLoopback",
          "isLinkLocalMulticast",
          "isLinkLocalUnicast",
          "isGlobalUnicast",
          "asInteger",
          "isInteger",
          "asApproximateFloat",
          "isGreaterThan",
          "isLessThan",
          "compareTo",
          "add",
          "sub",
          "major",
          "minor",
          "patch",
          "getScheme",
          "getHostname",
          "getHost",
          "getPort",
          "getEscapedPath",
          "getQuery" ->
          Call.of(ONE);
      case "fieldSelector", "labelSelector" -> {
        var size = sizes.size(arguments.getFirst());
        yield Call.of(fixed(10).plus(size.times(TEXT)).plus(size.times(0.5).times(50.0)));
      }
      case "isSorted", "sum", "max", "min", "indexOf", "lastIndexOf" -> traversal(target);
      case "lowerAscii", "upperAscii", "substring", "trim" -> {
        var size = sizes.size(target);
        yield new Call(size.times(TEXT), size);
      }
      case "replace" -> replace(target, arguments);
      case "split" -> {
        var size = sizes.size(target);
        long most = arguments.size() > 1 ? number(arguments.get(1), size.max()) : size.max();
        yield new Call(size.times(2 * TEXT), CostRange.upTo(most));
      }
      case "join" -> join(target, arguments);
      case "find", "findAll" -> {
        var size = sizes.size(target);
        var pattern = sizes.size(arguments.getFirst()).times(PATTERN);
        yield new Call(size.plus(ONE).times(TEXT).times(pattern), CostRange.upTo(size.max()));
      }
      case "containsIP" -> Call.of(contains(arguments, ADDRESS.plus(ADDRESS).times(TEXT)));
      case "containsCIDR" ->
          Call.of(
              contains(
                  arguments,
                  ADDRESS.plus(ADDRESS).times(TEXT).plus(ADDRESS.times(TEXT)).plus(ONE)));
      case "validate" ->
          Call.of(sizes.size(arguments.getFirst()).times(TEXT).times(FORMAT_PATTERN * PATTERN));
      default -> null;
    };
  }

  private CostRange contains(List<Node> arguments, CostRange cost) {
    var other = arguments.getFirst();
    return other.type().kind() == CelKind.STRING ? cost.plus(sizes.size(other).times(TEXT)) : cost;
  }

  private static @Nullable Node element(Node list) {
    if (list.type().parameters().isEmpty()) {
      return null;
    }
    var type = list.type().parameters().getFirst();
    var path = list.path().isEmpty() ? list.path() : CostEstimate.longer(list.path(), "@items");
    return new Node(path, type, null, null);
  }

  private Call traversal(Node target) {
    var element = element(target);
    if (element == null) {
      return Call.of(sizes.size(target).times(TEXT));
    }
    var each = ONE;
    if (element.type().kind() == CelKind.STRING || element.type().kind() == CelKind.BYTES) {
      each = each.plus(sizes.size(element).times(TEXT));
    }
    return Call.of(sizes.size(target).times(each));
  }

  private Call join(Node target, List<Node> arguments) {
    var count = sizes.size(target);
    var element = element(target);
    var size = element == null ? ZERO : count.times(sizes.size(element));
    if (!arguments.isEmpty()) {
      var between = new CostRange(Math.max(count.min() - 1, 0), Math.max(count.max() - 1, 0));
      size = size.plus(sizes.size(arguments.getFirst()).times(between));
    }
    return new Call(size.times(TEXT), size);
  }

  /**
   * The result is longest when many short parts are replaced by long ones, and shortest in the
   * opposite case.
   */
  private @Nullable Call replace(Node target, List<Node> arguments) {
    if (arguments.size() < 2) {
      return null;
    }
    var size = sizes.size(target);
    var from = sizes.size(arguments.get(0));
    var to = sizes.size(arguments.get(1));
    long most = 0;
    long mostKept = size.max();
    if (from.min() == 0) {
      most = size.plus(ONE).max();
    } else if (to.max() > from.min()) {
      most = (long) Math.ceil((double) size.max() / from.min());
      mostKept = 0;
    }
    long least = 0;
    long leastKept = size.min();
    if (from.max() == 0) {
      least = size.plus(ONE).min();
    } else if (from.max() > to.min()) {
      least = (long) Math.ceil((double) size.min() / from.max());
      leastKept = 0;
    }
    var result = new CostRange(least, most).times(to).plus(new CostRange(leastKept, mostKept));
    return new Call(size.times(2 * TEXT), result);
  }

  private @Nullable Call lists(String function, List<Node> arguments) {
    return switch (function) {
      case "lists.range" -> making(1, fixed(number(arguments.getFirst(), Long.MAX_VALUE)));
      case "sets.contains", "sets.intersects" -> Call.of(pairs(arguments).plus(ONE));
      case "sets.equivalent" -> Call.of(pairs(arguments).times(2.0).plus(ONE));
      default -> null;
    };
  }

  private CostRange pairs(List<Node> arguments) {
    return sizes.size(arguments.get(0)).times(sizes.size(arguments.get(1)));
  }

  private @Nullable Call lists(String function, Node target, List<Node> arguments) {
    return switch (function) {
      case "slice" -> {
        long end = number(arguments.get(1), sizes.size(target).max());
        yield making(1, fixed(Math.max(end - number(arguments.get(0), 0), 0)));
      }
      case "reverse" -> making(1, sizes.size(target));
      case "flatten" ->
          making(
              arguments.isEmpty() ? 1 : (double) number(arguments.getFirst(), Long.MAX_VALUE),
              sizes.size(target));
      case "distinct" -> making(2, sizes.size(target).times(sizes.size(target)));
      case "sort" -> sorting(target);
      case SortBy.FUNCTION -> sorting(arguments.getFirst());
      default -> null;
    };
  }

  private Call sorting(Node keys) {
    var element = element(keys);
    boolean texts =
        element != null
            && (element.type().kind() == CelKind.STRING || element.type().kind() == CelKind.BYTES);
    return making(texts ? 2 + TEXT : 2, sizes.size(keys).times(sizes.size(keys)));
  }

  private static Call making(double factor, CostRange size) {
    return new Call(size.times(factor).plus(ONE).plus(fixed(10)), size);
  }

  /** The number literal, or the default. */
  private static long number(Node node, long otherwise) {
    var expression = node.expression();
    return expression != null
            && expression.getKind() == CelExpr.ExprKind.Kind.CONSTANT
            && expression.constant().getKind() == CelConstant.Kind.INT64_VALUE
        ? Math.max(expression.constant().int64Value(), 0)
        : otherwise;
  }
}
