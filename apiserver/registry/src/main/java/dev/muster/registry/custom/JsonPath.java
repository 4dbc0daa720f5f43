package dev.muster.registry.custom;

import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonBool;
import dev.muster.model.json.JsonNumber;
import dev.muster.model.json.JsonObject;
import dev.muster.model.json.JsonString;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A JSONPath in kubectl's dialect: {@code .status.conditions[?(@.type=="Ready")].status}.
 * Immutable.
 */
final class JsonPath {
  /**
   * The limit of visited values; a few recursive steps could otherwise visit every value many
   * times.
   */
  private static final int MOST_VALUES = 20_000;

  /** A step of a path. */
  sealed interface Step {
    record Member(String name) implements Step {}

    record Every() implements Step {}

    record Deep() implements Step {}

    /** Items in a range of positions; null for an open end. */
    record Slice(@Nullable Integer from, @Nullable Integer to, int step) implements Step {}

    record Several(List<List<Step>> alternatives) implements Step {}

    /**
     * Elements that satisfy a comparison or, without an operator, in which the left path exists.
     */
    record Filter(Operand left, String operator, @Nullable Operand right) implements Step {}
  }

  /**
   * One side of a comparison.
   *
   * @param constant null when the path is evaluated instead
   */
  record Operand(List<Step> path, @Nullable Json constant) {}

  /** The path does not fit the value, or visits too many values. */
  private static final class NoResultException extends RuntimeException {
    private static final long serialVersionUID = 1;

    NoResultException() {
      super(null, null, false, false);
    }
  }

  private final List<Step> steps;

  JsonPath(List<Step> steps) {
    this.steps = List.copyOf(steps);
  }

  /** The first value that the path selects, or null when there is none. */
  @Nullable Json first(JsonObject object) {
    try {
      var found = new Walk().follow(List.of(object), steps);
      return found.isEmpty() ? null : found.getFirst();
    } catch (NoResultException e) {
      return null;
    }
  }

  /** One evaluation of a path. Only one thread uses it. */
  private static final class Walk {
    private int visited;

    List<Json> follow(List<Json> values, List<Step> steps) {
      var found = values;
      for (var step : steps) {
        var next = new ArrayList<Json>();
        for (var value : found) {
          step(value, step, next);
        }
        visited += next.size();
        if (visited > MOST_VALUES) {
          throw new NoResultException();
        }
        found = next;
      }
      return found;
    }

    private void step(Json value, Step step, List<Json> found) {
      switch (step) {
        case Step.Member(var name) -> {
          if (value instanceof JsonObject object && object.get(name) != null) {
            found.add(object.get(name));
          }
        }
        case Step.Every() -> found.addAll(children(value));
        case Step.Deep() -> deep(value, found);
        case Step.Slice slice -> items(value, slice, found);
        case Step.Several(var alternatives) ->
            alternatives.forEach(path -> found.addAll(follow(List.of(value), path)));
        case Step.Filter filter -> {
          for (var child : children(value)) {
            if (holds(child, filter)) {
              found.add(child);
            }
          }
        }
      }
    }

    private static List<Json> children(Json value) {
      return switch (value) {
        case JsonObject object -> {
          var all = new ArrayList<Json>();
          object.keys().stream().sorted().forEach(key -> all.add(object.get(key)));
          yield all;
        }
        case JsonArray list -> {
          var all = new ArrayList<Json>();
          list.forEach(all::add);
          yield all;
        }
        default -> List.of();
      };
    }

    private void deep(Json value, List<Json> found) {
      if (++visited > MOST_VALUES) {
        throw new NoResultException();
      }
      found.add(value);
      for (var child : children(value)) {
        if (child instanceof JsonObject || child instanceof JsonArray) {
          deep(child, found);
        }
      }
    }

    private static void items(Json value, Step.Slice slice, List<Json> found) {
      if (!(value instanceof JsonArray list)) {
        throw new NoResultException();
      }
      int size = list.size();
      int from = position(slice.from(), 0, size);
      int to = position(slice.to(), size, size);
      boolean single = slice.from() != null && slice.to() != null && slice.to() - slice.from() == 1;
      if (single && slice.to() != null && slice.to() == 0) {
        to = size; // [-1] is the last item
      }
      if (from < 0 || (single && from >= size)) {
        throw new NoResultException();
      }
      for (int i = from; i < Math.min(to, size); i += slice.step()) {
        found.add(list.get(i));
      }
    }

    private static int position(@Nullable Integer said, int otherwise, int size) {
      if (said == null) {
        return otherwise;
      }
      return said < 0 ? size + said : said;
    }

    private boolean holds(Json value, Step.Filter filter) {
      var left = operand(value, filter.left());
      if (filter.right() == null) {
        return !left.isEmpty();
      }
      if (left.isEmpty()) {
        return false;
      }
      var right = operand(value, filter.right());
      if (left.size() > 1 || right.size() > 1) {
        throw new NoResultException();
      }
      return !right.isEmpty() && compare(left.getFirst(), filter.operator(), right.getFirst());
    }

    private List<Json> operand(Json value, Operand operand) {
      return operand.constant() == null
          ? follow(List.of(value), operand.path())
          : List.of(operand.constant());
    }

    private static boolean compare(Json left, String operator, Json right) {
      int order =
          switch (left) {
            case JsonString a when right instanceof JsonString b ->
                Integer.signum(a.value().compareTo(b.value()));
            case JsonNumber a when right instanceof JsonNumber b ->
                Double.compare(a.doubleValue(), b.doubleValue());
            case JsonBool a when right instanceof JsonBool b ->
                Boolean.compare(a.value(), b.value());
            default -> throw new NoResultException();
          };
      return switch (operator) {
        case "==" -> order == 0;
        case "!=" -> order != 0;
        case "<" -> order < 0;
        case "<=" -> order <= 0;
        case ">" -> order > 0;
        case ">=" -> order >= 0;
        default -> throw new NoResultException();
      };
    }
  }
}
