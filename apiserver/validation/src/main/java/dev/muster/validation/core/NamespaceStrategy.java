package dev.muster.validation.core;

import dev.muster.model.Timestamps;
import dev.muster.model.json.JsonObject;
import dev.muster.model.validation.FieldError;
import dev.muster.types.Deletion;
import dev.muster.types.ObjectMeta;
import dev.muster.types.Strategy;
import dev.muster.types.options.DeleteOptions;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The strategy of Namespaces, which are deleted in two steps: a delete marks them as terminating,
 * and they are removed when {@code spec.finalizers} and {@code metadata.finalizers} are empty.
 */
public record NamespaceStrategy(Strategy rules) implements Strategy {

  @Override
  public JsonObject defaults(JsonObject object) {
    return rules.defaults(object);
  }

  @Override
  public JsonObject prepareForCreate(JsonObject object) {
    return rules.prepareForCreate(object);
  }

  @Override
  public void validateCreate(JsonObject object, List<FieldError> errors) {
    rules.validateCreate(object, errors);
  }

  @Override
  public JsonObject prepareForUpdate(JsonObject object, JsonObject old) {
    return rules.prepareForUpdate(object, old);
  }

  @Override
  public void validateUpdate(JsonObject object, JsonObject old, List<FieldError> errors) {
    rules.validateUpdate(object, old, errors);
  }

  @Override
  public JsonObject prepareForStatusUpdate(JsonObject object, JsonObject old) {
    return rules.prepareForStatusUpdate(object, old);
  }

  @Override
  public void validateStatusUpdate(JsonObject object, JsonObject old, List<FieldError> errors) {
    rules.validateStatusUpdate(object, old, errors);
  }

  @Override
  public List<String> warnings(JsonObject object, @Nullable JsonObject old) {
    return rules.warnings(object, old);
  }

  @Override
  public boolean answersDeleteWithObject() {
    return true;
  }

  @Override
  public boolean isHeld(JsonObject object) {
    return !object.object("spec").array("finalizers").isEmpty()
        || !ObjectMeta.finalizers(object).isEmpty();
  }

  @Override
  public Deletion deletion(JsonObject object, DeleteOptions options, Instant now) {
    if (!ObjectMeta.isDeleting(object)) {
      var marked = ObjectMeta.with(object, "deletionTimestamp", Timestamps.format(now));
      marked = ObjectMeta.withFinalizers(marked, finalizers(object, options));
      return new Deletion.Mark(
          marked.with("status", object.object("status").with("phase", "Terminating")));
    }
    return object.object("spec").array("finalizers").isEmpty()
        ? Deletion.of(object, options, this, now)
        : new Deletion.Leave();
  }

  /** Unlike with other kinds, {@code orphanDependents: false} means foreground deletion. */
  private List<String> finalizers(JsonObject object, DeleteOptions options) {
    var orphans = options.orphanDependents();
    return orphans == null
        ? Deletion.finalizersAfter(object, options, this)
        : Deletion.finalizers(ObjectMeta.finalizers(object), orphans, !orphans);
  }
}
