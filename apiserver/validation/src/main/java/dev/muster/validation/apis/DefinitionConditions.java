package dev.muster.validation.apis;

import dev.muster.model.Timestamps;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonObject;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * The status conditions of a definition, in the order in which they were added.
 *
 * @param all the conditions in JSON
 */
record DefinitionConditions(List<JsonObject> all) {

  /** A condition without its time. */
  record Condition(String type, String status, String reason, String message) {
    private boolean isSaidBy(JsonObject written) {
      return written.string("type").equals(type)
          && written.string("status").equals(status)
          && written.string("reason").equals(reason)
          && written.string("message").equals(message);
    }
  }

  DefinitionConditions {
    all = List.copyOf(all);
  }

  static DefinitionConditions of(JsonObject definition) {
    return new DefinitionConditions(definition.object("status").array("conditions").objects());
  }

  /** The condition of that type, or an empty object. */
  JsonObject find(String type) {
    return all.stream()
        .filter(condition -> condition.string("type").equals(type))
        .findFirst()
        .orElse(JsonObject.EMPTY);
  }

  boolean isTrue(String type) {
    return find(type).string("status").equals("True");
  }

  boolean has(String type) {
    return !find(type).isEmpty();
  }

  /**
   * Sets a condition; an equal one stays as it is. The transition time changes only with the
   * status.
   */
  DefinitionConditions with(Condition wanted, Instant now) {
    var old = find(wanted.type());
    if (wanted.isSaidBy(old)) {
      return this;
    }
    var since = old.string("lastTransitionTime");
    boolean turned = since.isEmpty() || !old.string("status").equals(wanted.status());
    var written =
        old.with("type", wanted.type())
            .with("status", wanted.status())
            .with("lastTransitionTime", turned ? Timestamps.format(now) : since)
            .with("reason", wanted.reason())
            .with("message", wanted.message());
    var changed = new ArrayList<>(all);
    int index = old.isEmpty() ? -1 : all.indexOf(old);
    if (index < 0) {
      changed.add(written);
    } else {
      changed.set(index, written);
    }
    return new DefinitionConditions(changed);
  }

  DefinitionConditions without(String type) {
    return has(type)
        ? new DefinitionConditions(
            all.stream().filter(condition -> !condition.string("type").equals(type)).toList())
        : this;
  }

  /** The definition with these conditions. */
  JsonObject in(JsonObject definition) {
    return of(definition).equals(this)
        ? definition
        : definition.withAt(JsonArray.of(all), "status", "conditions");
  }
}
