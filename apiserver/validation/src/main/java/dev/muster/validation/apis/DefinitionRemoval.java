package dev.muster.validation.apis;

import dev.muster.model.Timestamps;
import dev.muster.model.json.JsonObject;
import dev.muster.types.Deletion;
import dev.muster.types.ObjectMeta;
import dev.muster.types.Strategy;
import dev.muster.types.options.DeleteOptions;
import java.time.Instant;
import java.util.ArrayList;

/**
 * Decides the steps of deleting a definition: a delete marks it, a controller deletes its custom
 * objects, and the definition is removed when none are left.
 */
public final class DefinitionRemoval {
  /** The finalizer that keeps a definition while its objects exist. */
  public static final String FINALIZER = "customresourcecleanup.apiextensions.k8s.io";

  private DefinitionRemoval() {}

  static Deletion of(JsonObject definition, DeleteOptions options, Strategy strategy, Instant now) {
    if (ObjectMeta.isDeleting(definition)) {
      return Deletion.of(definition, options, strategy, now);
    }
    var finalizers = new ArrayList<>(ObjectMeta.finalizers(definition));
    if (!finalizers.contains(FINALIZER)) {
      finalizers.add(FINALIZER);
    }
    var marked = ObjectMeta.with(definition, "deletionTimestamp", Timestamps.format(now));
    return new Deletion.Mark(
        terminating(
            ObjectMeta.withFinalizers(marked, finalizers),
            "True",
            "InstanceDeletionPending",
            "CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon",
            now));
  }

  /** Whether its objects must be deleted, and the definition after them. */
  public static boolean isDue(JsonObject definition) {
    return ObjectMeta.isDeleting(definition)
        && ObjectMeta.finalizers(definition).contains(FINALIZER);
  }

  /**
   * Whether objects may exist that must be deleted first. They can exist even if the definition was
   * never Established, because Muster serves its type at once.
   */
  public static boolean mayHaveObjects(JsonObject definition) {
    return !isOverlapping(definition);
  }

  /** The definition with a condition that its objects are being deleted. */
  public static JsonObject begun(JsonObject definition, Instant now) {
    return terminating(
        definition,
        "True",
        "InstanceDeletionInProgress",
        "CustomResource deletion is in progress",
        now);
  }

  /** The definition with a condition that not all its objects can be deleted. */
  public static JsonObject failed(JsonObject definition, String why, Instant now) {
    return terminating(definition, "True", "InstanceDeletionFailed", why, now);
  }

  /**
   * The definition with a condition that its objects still exist, for example because of
   * finalizers.
   */
  public static JsonObject stalled(JsonObject definition, Instant now) {
    return terminating(
        definition,
        "True",
        "InstanceDeletionCheck",
        "could not confirm zero CustomResources remaining: context deadline exceeded",
        now);
  }

  /** The definition without its finalizer, after all its objects are gone. */
  public static JsonObject finished(JsonObject definition, Instant now) {
    JsonObject said;
    if (isOverlapping(definition)) {
      said =
          terminating(
              definition,
              "False",
              "OverlappingBuiltInResource",
              "instances overlap with built-in resources in storage",
              now);
    } else if (DefinitionConditions.of(definition).isTrue("Established")) {
      said =
          terminating(
              definition, "False", "InstanceDeletionCompleted", "removed all instances", now);
    } else {
      said =
          terminating(
              definition, "False", "NeverEstablished", "resource was never established", now);
    }
    var finalizers = new ArrayList<>(ObjectMeta.finalizers(said));
    finalizers.remove(FINALIZER);
    return ObjectMeta.withFinalizers(said, finalizers);
  }

  /** Whether its objects would have the store keys of a built-in resource. */
  private static boolean isOverlapping(JsonObject definition) {
    var spec = definition.object("spec");
    var plural = spec.object("names").string("plural");
    return switch (spec.string("group")) {
      case "apiregistration.k8s.io" -> plural.equals("apiservices");
      case "apiextensions.k8s.io" -> plural.equals("customresourcedefinitions");
      default -> false;
    };
  }

  private static JsonObject terminating(
      JsonObject definition, String status, String reason, String message, Instant now) {
    var condition = new DefinitionConditions.Condition("Terminating", status, reason, message);
    return DefinitionConditions.of(definition).with(condition, now).in(definition);
  }
}
