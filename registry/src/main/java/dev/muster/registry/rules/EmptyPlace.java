package dev.muster.registry.rules;

import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonNull;
import dev.muster.model.json.JsonObject;
import java.util.ArrayList;
import java.util.List;

/**
 * A place in objects of some kind at which an empty list or map is not the same as none.
 *
 * @param steps names of fields; {@link #EACH} stands for every item of a list
 */
public record EmptyPlace(List<String> steps) {
  private static final String EACH = "[]";

  /** The place at a path such as {@code spec.volumes[].name}. */
  public static EmptyPlace at(String path) {
    return new EmptyPlace(List.of(path.replace(EACH, "." + EACH).split("\\.")));
  }

  /** The same place of what stands at that path. */
  public EmptyPlace below(String path) {
    var all = new ArrayList<>(at(path).steps);
    all.addAll(steps);
    return new EmptyPlace(List.copyOf(all));
  }

  /** What was read, with what was sent empty at this place. */
  public JsonObject kept(JsonObject sent, JsonObject read) {
    return kept(sent, read, 0) instanceof JsonObject kept ? kept : read;
  }

  private Json kept(Json sent, Json read, int at) {
    var step = steps.get(at);
    if (step.equals(EACH)) {
      return sent instanceof JsonArray items
              && read instanceof JsonArray list
              && items.size() == list.size()
          ? list.mapBeside(items, (from, to) -> kept(from, to, at + 1))
          : read;
    }
    if (!(sent instanceof JsonObject from) || !(read instanceof JsonObject object)) {
      return read;
    }
    var member = from.get(step);
    if (member == null) {
      return read;
    }
    var before = object.get(step);
    if (at == steps.size() - 1) {
      boolean isMissing = before == null || before instanceof JsonNull;
      return isMissing && isEmpty(member) ? object.with(step, member) : read;
    }
    var was = before == null ? JsonObject.EMPTY : before;
    var now = kept(member, was, at + 1);
    return now == was ? read : object.with(step, now);
  }

  /** The object without what is empty at this place. */
  public JsonObject dropped(JsonObject object) {
    return dropped(object, 0) instanceof JsonObject without ? without : object;
  }

  private Json dropped(Json value, int at) {
    var step = steps.get(at);
    if (step.equals(EACH)) {
      return value instanceof JsonArray list ? list.map(item -> dropped(item, at + 1)) : value;
    }
    var member = value instanceof JsonObject object ? object.get(step) : null;
    if (!(value instanceof JsonObject object) || member == null) {
      return value;
    }
    if (at == steps.size() - 1) {
      return isEmpty(member) ? object.without(step) : value;
    }
    var now = dropped(member, at + 1);
    return now == member ? value : object.with(step, now);
  }

  /** Whether it is a list or a map without anything in it. */
  public static boolean isEmpty(Json value) {
    return switch (value) {
      case JsonArray list -> list.isEmpty();
      case JsonObject map -> map.isEmpty();
      default -> false;
    };
  }
}
