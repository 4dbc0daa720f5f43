package dev.muster.cel.run;

import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.ast.CelConstant;
import dev.cel.common.ast.CelExpr;
import dev.cel.common.types.CelKind;
import dev.muster.cel.run.cost.CostBudget;
import dev.muster.cel.value.CelBytes;
import dev.muster.cel.value.CelNull;
import dev.muster.cel.value.CelUint;
import dev.muster.cel.value.TypeValue;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Translates a checked expression to steps. Only one thread uses it, for one expression. */
final class Planner {
  private static final Set<String> CONVERSIONS =
      Set.of("bool", "bytes", "double", "duration", "dyn", "int", "string", "timestamp", "uint");

  private final CelAbstractSyntaxTree tree;
  private final Map<String, Deque<Integer>> scopes = new HashMap<>();
  private int locals;

  Planner(CelAbstractSyntaxTree tree) {
    this.tree = tree;
  }

  Step plan() {
    return plan(tree.getExpr());
  }

  /** The number of loop variables. */
  int locals() {
    return locals;
  }

  private Step plan(CelExpr part) {
    return switch (part.getKind()) {
      case CONSTANT -> new Constant(constant(part.constant()));
      case IDENT -> named(part, part.ident().name());
      case SELECT -> select(part);
      case CALL -> call(part);
      case LIST -> list(part);
      case MAP -> map(part);
      case STRUCT -> struct(part);
      case COMPREHENSION -> loop(part);
      case NOT_SET -> throw new IllegalArgumentException("an expression without content");
    };
  }

  private static Object constant(CelConstant constant) {
    return switch (constant.getKind()) {
      case BOOLEAN_VALUE -> constant.booleanValue();
      case INT64_VALUE -> constant.int64Value();
      case UINT64_VALUE -> new CelUint(constant.uint64Value().longValue());
      case DOUBLE_VALUE -> constant.doubleValue();
      case STRING_VALUE -> constant.stringValue();
      case BYTES_VALUE -> new CelBytes(constant.bytesValue().toByteArray());
      case NULL_VALUE -> CelNull.NULL;
      case NOT_SET, DURATION_VALUE, TIMESTAMP_VALUE ->
          throw new IllegalArgumentException("a constant of kind " + constant.getKind());
    };
  }

  private Step named(CelExpr part, String name) {
    var slots = scopes.get(name);
    if (slots != null && !slots.isEmpty()) {
      return Attribute.of(new NamedValues.Local(slots.element()), 1);
    }
    var reference = tree.getReference(part.id()).map(found -> found.name()).orElse(name);
    var type = tree.getType(part.id());
    if (type.isPresent() && type.get().kind() == CelKind.TYPE) {
      return new Constant(new TypeValue(typeName(reference)));
    }
    return Attribute.of(new NamedValues.Variable(reference), 1);
  }

  private static String typeName(String name) {
    return switch (name) {
      case "duration" -> "google.protobuf.Duration";
      case "timestamp" -> "google.protobuf.Timestamp";
      default -> name;
    };
  }

  private Step select(CelExpr part) {
    if (tree.getReference(part.id()).isPresent()) {
      return named(part, part.select().field());
    }
    var select = part.select();
    var field = new Qualifier(new Constant(select.field()), false);
    var attribute = attribute(plan(select.operand())).with(field);
    return select.testOnly() ? attribute.asTest() : attribute;
  }

  private static Attribute attribute(Step step) {
    return step instanceof Attribute attribute && !attribute.isTest()
        ? attribute
        : Attribute.of(step, step instanceof Logic.Choice ? 0 : 1);
  }

  private Step call(CelExpr part) {
    var call = part.call();
    var arguments = new ArrayList<Step>();
    call.target().ifPresent(target -> arguments.add(plan(target)));
    for (var argument : call.args()) {
      arguments.add(plan(argument));
    }
    return switch (call.function()) {
      case "_&&_" -> new Logic.Either(arguments.get(0), arguments.get(1), false);
      case "_||_" -> new Logic.Either(arguments.get(0), arguments.get(1), true);
      case "_?_:_" ->
          new Logic.Choice(
              arguments.get(0), Attribute.free(arguments.get(1)), Attribute.free(arguments.get(2)));
      case "_[_]" -> index(arguments, false);
      case "_[?_]", "_?._" -> index(arguments, true);
      case "@not_strictly_false" -> new Calls.NotStrictlyFalse(arguments.getFirst());
      case "or" -> new Calls.Otherwise(arguments.get(0), arguments.get(1), true);
      case "orValue" -> new Calls.Otherwise(arguments.get(0), arguments.get(1), false);
      case "@in" -> membership(part, arguments);
      default -> function(part, arguments);
    };
  }

  private static Step index(List<Step> arguments, boolean optional) {
    var key = Attribute.free(arguments.get(1));
    return attribute(arguments.get(0)).with(new Qualifier(key, optional));
  }

  private Step function(CelExpr part, List<Step> arguments) {
    var name = part.call().function();
    var function = Functions.find(name, arguments);
    var step = Calls.of(name, overload(part), function, arguments);
    boolean known = arguments.size() == 1 && arguments.getFirst() instanceof Constant;
    return known && CONVERSIONS.contains(name) ? constant(step) : step;
  }

  /** The value of a step that does not depend on variables. */
  private static Step constant(Step step) {
    return new Constant(step.evaluate(new Frame(Variables.NONE, CostBudget.standard(), 0)));
  }

  /** The overload that the types alone select; "" when the values decide. */
  private String overload(CelExpr part) {
    var found = tree.getReference(part.id());
    return found.isPresent() && found.get().overloadIds().size() == 1
        ? found.get().overloadIds().getFirst()
        : "";
  }

  private Step membership(CelExpr part, List<Step> arguments) {
    if (overload(part).equals("in_list") && arguments.get(1) instanceof Constant list) {
      var set = Calls.Membership.of(arguments.get(0), list.value());
      if (set != null) {
        return set;
      }
    }
    return function(part, arguments);
  }

  private Step list(CelExpr part) {
    var elements = part.list().elements().stream().map(this::plan).toList();
    var step = new Literals.ListLiteral(elements, Set.copyOf(part.list().optionalIndices()));
    return elements.stream().allMatch(Constant.class::isInstance) ? constant(step) : step;
  }

  private Step map(CelExpr part) {
    var entries = new ArrayList<Literals.Entry>();
    boolean known = true;
    for (var entry : part.map().entries()) {
      var key = plan(entry.key());
      var value = plan(entry.value());
      known = known && key instanceof Constant && value instanceof Constant;
      entries.add(new Literals.Entry(key, value, entry.optionalEntry()));
    }
    var step = new Literals.MapLiteral(List.copyOf(entries));
    return known ? constant(step) : step;
  }

  private Step struct(CelExpr part) {
    var entries = new ArrayList<Literals.Entry>();
    for (var field : part.struct().entries()) {
      entries.add(
          new Literals.Entry(
              new Constant(field.fieldKey()), plan(field.value()), field.optionalEntry()));
    }
    return new Literals.StructLiteral(part.struct().messageName(), List.copyOf(entries));
  }

  private Step loop(CelExpr part) {
    var loop = part.comprehension();
    var range = plan(loop.iterRange());
    var start = plan(loop.accuInit());
    boolean two = !loop.iterVar2().isEmpty();
    int result = enter(loop.accuVar());
    int first = enter(loop.iterVar());
    int second = two ? enter(loop.iterVar2()) : -1;
    var condition = plan(loop.loopCondition());
    var next = plan(loop.loopStep());
    leave(loop.iterVar());
    if (two) {
      leave(loop.iterVar2());
    }
    var end = plan(loop.result());
    leave(loop.accuVar());
    return new Loop(
        range, two ? first : -1, two ? second : first, result, start, condition, next, end);
  }

  private int enter(String name) {
    scopes.computeIfAbsent(name, ignored -> new ArrayDeque<>()).push(locals);
    return locals++;
  }

  private void leave(String name) {
    var slots = scopes.get(name);
    if (slots != null) {
      slots.pop();
    }
  }
}
