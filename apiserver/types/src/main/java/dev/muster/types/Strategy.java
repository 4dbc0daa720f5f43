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
 * The rules of one resource, applied to objects in their stored version. All methods are pure
 * functions. The generic handlers call them in the order in which they are declared here. A method
 * that returns an object returns the same instance when it changes nothing.
 */
public interface Strategy {

  /** The fields in which an empty list or map differs from an absent one. */
  default EmptyFields emptyFields() {
    return EmptyFields.NONE;
  }

  /** Applies kube-apiserver's versioned defaults to every object that a client sends. */
  default JsonObject defaults(JsonObject object) {
    return object;
  }

  /** The generated name for an object with {@code generateName}. */
  default String generatedName(String base, RandomGenerator random) {
    return GeneratedName.of(base, random);
  }

  /** Records the user who creates the object, for resources that keep the user. */
  default JsonObject withRequester(JsonObject object, User user) {
    return object;
  }

  /**
   * Sets and clears the fields that a client cannot choose on create, such as status and
   * generation.
   */
  default JsonObject prepareForCreate(JsonObject object) {
    return object;
  }

  /**
   * Checks against other objects of the cluster, before all other validation; old is null on
   * create.
   */
  default void validateAmong(
      JsonObject object, @Nullable JsonObject old, ClusterView cluster, List<FieldError> errors) {}

  /** Validates a new object, including its metadata. */
  void validateCreate(JsonObject object, List<FieldError> errors);

  /** Restores the fields that a client cannot change on update, and increments the generation. */
  default JsonObject prepareForUpdate(JsonObject object, JsonObject old) {
    return object;
  }

  /** Validates a changed object against the stored one, including its metadata. */
  void validateUpdate(JsonObject object, JsonObject old, List<FieldError> errors);

  /**
   * Validates a changed object, and warns of deprecated values that it leaves unchanged.
   *
   * @param warnings receives texts for the client's Warning header
   */
  default void validateUpdate(
      JsonObject object, JsonObject old, List<FieldError> errors, Consumer<String> warnings) {
    validateUpdate(object, old, errors);
  }

  /**
   * Validates an update of an object that is known to be valid: parts that are the same instance
   * need no check.
   */
  default void validateUpdateOfValid(
      JsonObject object, JsonObject old, List<FieldError> errors, Consumer<String> warnings) {
    validateUpdate(object, old, errors, warnings);
  }

  /** Restores all but the status, and the metadata that a status update may change. */
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

  /** Like {@link #validateUpdate(JsonObject, JsonObject, List, Consumer)}, for a status update. */
  default void validateStatusUpdate(
      JsonObject object, JsonObject old, List<FieldError> errors, Consumer<String> warnings) {
    validateStatusUpdate(object, old, errors);
  }

  /** Warnings about a new object as the client sent it, before it is prepared. */
  default List<String> earlyWarnings(JsonObject object) {
    return List.of();
  }

  /** Warnings for the client's Warning header; old is null on create. */
  default List<String> warnings(JsonObject object, @Nullable JsonObject old) {
    return List.of();
  }

  /** Warnings for a status update. */
  default List<String> statusWarnings(JsonObject object, JsonObject old) {
    return warnings(object, old);
  }

  /** Whether PUT creates a missing object. */
  default boolean createsOnUpdate() {
    return false;
  }

  /** Whether PUT works without a resourceVersion. */
  default boolean allowsUnconditionalUpdate() {
    return true;
  }

  /** Whether DELETE returns the removed object instead of a Status. */
  default boolean answersDeleteWithObject() {
    return false;
  }

  /** Why the object of that name cannot be deleted; "" when it can. */
  default String whyKept(String name) {
    return "";
  }

  /**
   * Whether propagation policies apply; a resource without dependents gets no finalizers for them.
   */
  default boolean mayHaveDependents() {
    return true;
  }

  /** Whether dependents are orphaned by default; a non-empty text is the warning about it. */
  default boolean orphansDependents() {
    return false;
  }

  default String orphanWarning() {
    return "";
  }

  /**
   * The grace period in seconds before the object is removed; empty when it is removed at once.
   *
   * @param requested the client's grace period
   */
  default OptionalLong gracePeriod(JsonObject object, OptionalLong requested) {
    return OptionalLong.empty();
  }

  /** The effect of a delete on that object. */
  default Deletion deletion(JsonObject object, DeleteOptions options, Instant now) {
    return Deletion.of(object, options, this, now);
  }

  /** Whether a finalizer or a grace period still keeps a deleted object. */
  default boolean isHeld(JsonObject object) {
    return !ObjectMeta.finalizers(object).isEmpty();
  }
}
