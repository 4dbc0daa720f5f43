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
 * Definitions end in two steps: a delete marks them, and they go away when no objects of theirs are
 * left. The steps in between are decided here; who carries them out deletes the objects.
 */
public final class DefinitionRemoval {
  /** What holds a definition back while there are objects of it. */
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

  /** Whether its objects are to be deleted, and it after them. */
  public static boolean isDue(JsonObject definition) {
    return ObjectMeta.isDeleting(definition)
        && ObjectMeta.finalizers(definition).contains(FINALIZER);
  }

  /**
   * Whether there may be objects of it, which have to go first. There may be some although it was
   * never said to be established, because its type is served as soon as it is there.
   */
  public static boolean mayHaveObjects(JsonObject definition) {
    return !isOverlapping(definition);
  }

  /** Its objects are being deleted. */
  public static JsonObject begun(JsonObject definition, Instant now) {
    return terminating(
        definition,
        "True",
        "InstanceDeletionInProgress",
        "CustomResource deletion is in progress",
        now);
  }

  /** Its objects cannot all be deleted. */
  public static JsonObject failed(JsonObject definition, String why, Instant now) {
    return terminating(definition, "True", "InstanceDeletionFailed", why, now);
  }

  /** Its objects do not go away, because something holds them back. */
  public static JsonObject stalled(JsonObject definition, Instant now) {
    return terminating(
        definition,
        "True",
        "InstanceDeletionCheck",
        "could not confirm zero CustomResources remaining: context deadline exceeded",
        now);
  }

  /** Nothing of it is left: it may go. */
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

  /** Whether its objects would lie where those of a built-in resource lie. */
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
