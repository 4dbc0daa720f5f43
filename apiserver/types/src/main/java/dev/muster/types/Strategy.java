package dev.muster.types;

import dev.muster.model.GeneratedName;
import dev.muster.model.User;
import dev.muster.model.json.JsonObject;
import dev.muster.model.validation.FieldError;
import dev.muster.schema.read.EmptyFields;
import dev.muster.types.options.DeleteOptions;
import java.time.Instant;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The rules that a resource has of its own, over objects in their stored version. Every method is a
 * pure function; the generic handlers call them in the order in which they stand here. Methods that
 * answer an object answer the same instance when nothing changes.
 */
public interface Strategy {

  /** Where these rules tell an empty list or map from none. */
  default EmptyFields emptyFields() {
    return EmptyFields.NONE;
  }

  /** Fills in what kube-apiserver's versioned defaults fill in; runs on whatever a client sends. */
  default JsonObject defaults(JsonObject object) {
    return object;
  }

  /** The name of a new object that has only the beginning of one. */
  default String generatedName(String base, RandomGenerator random) {
    return GeneratedName.of(base, random);
  }

  /** Writes down who sent a new object, where the resource keeps that. */
  default JsonObject withRequester(JsonObject object, User user) {
    return object;
  }

  /** Sets and clears what a client may not choose on create, such as status and generation. */
  default JsonObject prepareForCreate(JsonObject object) {
    return object;
  }

  /**
   * Checks what depends on other objects of the cluster, before everything else; old is null on
   * create.
   */
  default void validateAmong(
      JsonObject object, @Nullable JsonObject old, ClusterView cluster, List<FieldError> errors) {}

  /** Checks a new object, its metadata included. */
  void validateCreate(JsonObject object, List<FieldError> errors);

  /** Keeps what a client may not change on update, and counts the generation. */
  default JsonObject prepareForUpdate(JsonObject object, JsonObject old) {
    return object;
  }

  /** Checks a changed object against the one that is stored, its metadata included. */
  void validateUpdate(JsonObject object, JsonObject old, List<FieldError> errors);

  /**
   * Checks a changed object, and tells what it leaves as it was though it should not be like that.
   *
   * @param warnings texts for the client's Warning header
   */
  default void validateUpdate(
      JsonObject object, JsonObject old, List<FieldError> errors, Consumer<String> warnings) {
    validateUpdate(object, old, errors);
  }

  /**
   * Checks an update of an object that is known to keep these rules: what is still the same
   * instance need not be checked again.
   */
  default void validateUpdateOfValid(
      JsonObject object, JsonObject old, List<FieldError> errors, Consumer<String> warnings) {
    validateUpdate(object, old, errors, warnings);
  }

  /** Keeps all but the status (and the metadata that a status update may change). */
  default JsonObject prepareForStatusUpdate(JsonObject object, JsonObject old) {
    var status = object.get("status");
    var kept =
        old.with(
            "metadata",
            object
                .object("metadata")
                .with("generation", old.object("metadata").integer("generation", 0)));
    if (old.object("metadata").get("generation") == null) {
      kept = kept.withoutAt("metadata", "generation");
    }
    return status == null ? kept.without("status") : kept.with("status", status);
  }

  default void validateStatusUpdate(JsonObject object, JsonObject old, List<FieldError> errors) {}

  /** As {@link #validateUpdate(JsonObject, JsonObject, List, Consumer)}, of the status. */
  default void validateStatusUpdate(
      JsonObject object, JsonObject old, List<FieldError> errors, Consumer<String> warnings) {
    validateStatusUpdate(object, old, errors);
  }

  /** Texts about a new object as a client sent it, before it is prepared. */
  default List<String> earlyWarnings(JsonObject object) {
    return List.of();
  }

  /** Texts for the client's Warning header; old is null on create. */
  default List<String> warnings(JsonObject object, @Nullable JsonObject old) {
    return List.of();
  }

  /** What an update of the status is warned of. */
  default List<String> statusWarnings(JsonObject object, JsonObject old) {
    return warnings(object, old);
  }

  /** Whether PUT creates an object that does not exist. */
  default boolean createsOnUpdate() {
    return false;
  }

  /** Whether PUT may leave out the resourceVersion. */
  default boolean allowsUnconditionalUpdate() {
    return true;
  }

  /** Whether DELETE answers the object it removed, and not only a Status. */
  default boolean answersDeleteWithObject() {
    return false;
  }

  /** Why an object of that name cannot be deleted by itself; "" when it can. */
  default String whyKept(String name) {
    return "";
  }

  /** Whether a deletion asks what shall become of dependents; what has none is not held by them. */
  default boolean mayHaveDependents() {
    return true;
  }

  /** Whether dependents are orphaned by default; a text that is not empty warns about it. */
  default boolean orphansDependents() {
    return false;
  }

  default String orphanWarning() {
    return "";
  }

  /**
   * The seconds that an object gets before it is removed; empty when it is removed at once.
   *
   * @param requested what the client asked for
   */
  default OptionalLong gracePeriod(JsonObject object, OptionalLong requested) {
    return OptionalLong.empty();
  }

  /** What a delete does to that object. */
  default Deletion deletion(JsonObject object, DeleteOptions options, Instant now) {
    return Deletion.of(object, options, this, now);
  }

  /** Whether something still holds a deleted object back. */
  default boolean isHeld(JsonObject object) {
    return !ObjectMeta.finalizers(object).isEmpty();
  }
}
