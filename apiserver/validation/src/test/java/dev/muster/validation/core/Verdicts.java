package dev.muster.validation.core;

import dev.muster.model.json.Json;
import dev.muster.model.json.JsonObject;
import dev.muster.model.validation.FieldError;
import dev.muster.types.Strategy;
import dev.muster.wire.JsonReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Asks a strategy about objects that are written as JSON with single quotes. */
public record Verdicts(Strategy strategy, boolean namespaced) {

  public static JsonObject json(String text) {
    var bytes = text.replace('\'', '"').getBytes(StandardCharsets.UTF_8);
    return (JsonObject) JsonReader.read(bytes);
  }

  /** The object with a name, defaults and everything that creation sets. */
  public JsonObject prepared(String text) {
    var object = json(text);
    var metadata = object.object("metadata");
    metadata = metadata.has("name") ? metadata : metadata.with("name", "pear");
    metadata = namespaced ? metadata.with("namespace", "shop") : metadata;
    metadata = metadata.with("resourceVersion", "1");
    return strategy.prepareForCreate(strategy.defaults(object.with("metadata", metadata)));
  }

  public List<String> create(String text) {
    var errors = new ArrayList<FieldError>();
    strategy.validateCreate(prepared(text), errors);
    return texts(errors);
  }

  /** The errors of changing the first object into the second, each one once. */
  public List<String> update(String before, String after) {
    var old = prepared(before);
    var changed = prepared(after).with("metadata", merged(after, old));
    var errors = new ArrayList<FieldError>();
    strategy.validateUpdate(strategy.prepareForUpdate(changed, old), old, errors);
    return texts(errors);
  }

  /** The errors of giving the first object the status of the second, each one once. */
  public List<String> statusUpdate(String before, String after) {
    var old = prepared(before);
    var changed = prepared(after).with("metadata", merged(after, old));
    var status = json(after).get("status");
    changed = status == null ? changed : changed.with("status", status);
    var errors = new ArrayList<FieldError>();
    strategy.validateStatusUpdate(strategy.prepareForStatusUpdate(changed, old), old, errors);
    return texts(errors);
  }

  /** The generation after changing the first object into the second; 0 when there is none. */
  public long generation(String before, String after) {
    var old = prepared(before);
    var changed = prepared(after).with("metadata", merged(after, old));
    return strategy.prepareForUpdate(changed, old).object("metadata").integer("generation", 0);
  }

  private Json merged(String after, JsonObject old) {
    var metadata = prepared(after).object("metadata");
    var generation = old.object("metadata").get("generation");
    return generation == null ? metadata : metadata.with("generation", generation);
  }

  public List<String> warnings(String text) {
    return strategy.warnings(prepared(text), null);
  }

  /** The warnings about changing the first object into the second. */
  public List<String> warnings(String before, String after) {
    var old = prepared(before);
    var changed = prepared(after).with("metadata", merged(after, old));
    return strategy.warnings(strategy.prepareForUpdate(changed, old), old);
  }

  /** The warnings about giving the first object the status of the second. */
  public List<String> statusWarnings(String before, String after) {
    var old = prepared(before);
    var status = json(after).get("status");
    var changed = status == null ? old : old.with("status", status);
    return strategy.statusWarnings(changed, old);
  }

  private static List<String> texts(List<FieldError> errors) {
    return errors.stream().map(FieldError::toString).distinct().toList();
  }
}
