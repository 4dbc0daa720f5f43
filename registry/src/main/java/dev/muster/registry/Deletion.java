package dev.muster.registry;

import dev.muster.model.Json;
import dev.muster.model.JsonObject;
import dev.muster.model.MalformedValueException;
import dev.muster.model.Timestamps;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/** What a delete does to an object, decided from the object and the options alone. */
public sealed interface Deletion {
  String ORPHAN = "orphan";
  String FOREGROUND = "foregroundDeletion";

  /** The object goes away; it is shown in this form to clients that get to see it. */
  record Remove(JsonObject shown) implements Deletion {}

  /** The object stays, marked as being deleted. */
  record Mark(JsonObject marked) implements Deletion {}

  /** The object is being deleted already and nothing changes. */
  record Leave() implements Deletion {}

  static Deletion of(JsonObject object, DeleteOptions options, Strategy strategy, Instant now) {
    var finalizers = finalizersAfter(object, options, strategy);
    var withFinalizers =
        finalizers.equals(ObjectMeta.finalizers(object))
            ? object
            : ObjectMeta.withFinalizers(object, finalizers);
    var grace = strategy.gracePeriod(object, nonNegative(options.gracePeriodSeconds()));
    boolean held = strategy.isHeld(withFinalizers);
    if (grace.isEmpty()) {
      if (!held) {
        return new Remove(object);
      }
      var marked = mark(withFinalizers, now, 0);
      return marked.equals(object) ? new Leave() : new Mark(marked);
    }
    return graceful(object, withFinalizers, held, grace.getAsLong(), now);
  }

  private static Deletion graceful(
      JsonObject object, JsonObject withFinalizers, boolean held, long grace, Instant now) {
    if (ObjectMeta.isDeleting(object)) {
      long current = object.object("metadata").integer("deletionGracePeriodSeconds", 0);
      if (grace >= current) {
        if (current == 0 && !held) {
          return new Remove(object);
        }
        return withFinalizers.equals(object) ? new Leave() : new Mark(withFinalizers);
      }
      var shortened = shorten(withFinalizers, current, grace);
      return grace == 0 && !held ? new Remove(shortened) : new Mark(shortened);
    }
    var marked = mark(withFinalizers, now.plusSeconds(grace), grace);
    return grace == 0 && !held ? new Remove(marked) : new Mark(marked);
  }

  private static OptionalLong nonNegative(OptionalLong seconds) {
    return seconds.isPresent() && seconds.getAsLong() < 0 ? OptionalLong.of(1) : seconds;
  }

  private static JsonObject mark(JsonObject object, Instant when, long grace) {
    if (ObjectMeta.isDeleting(object)) {
      return object.object("metadata").has("deletionGracePeriodSeconds")
          ? object
          : ObjectMeta.with(object, "deletionGracePeriodSeconds", Json.of(grace));
    }
    var marked = ObjectMeta.with(object, "deletionTimestamp", Timestamps.format(when));
    marked = ObjectMeta.with(marked, "deletionGracePeriodSeconds", Json.of(grace));
    long generation = ObjectMeta.generation(object);
    return generation > 0 ? ObjectMeta.with(marked, "generation", Json.of(generation + 1)) : marked;
  }

  private static JsonObject shorten(JsonObject object, long from, long to) {
    Instant due;
    try {
      due = Timestamps.parse(ObjectMeta.text(object, "deletionTimestamp"));
    } catch (MalformedValueException e) {
      due = Instant.EPOCH;
    }
    var moved =
        ObjectMeta.with(
            object, "deletionTimestamp", Timestamps.format(due.minusSeconds(from - to)));
    return ObjectMeta.with(moved, "deletionGracePeriodSeconds", Json.of(to));
  }

  /** The finalizers that the wish for the dependents adds and takes away. */
  static List<String> finalizersAfter(JsonObject object, DeleteOptions options, Strategy strategy) {
    var present = ObjectMeta.finalizers(object);
    boolean asks = strategy.mayHaveDependents();
    boolean orphan = asks && orphans(present, options, strategy);
    boolean foreground = asks && !orphan && waitsForDependents(present, options);
    return finalizers(present, orphan, foreground);
  }

  static List<String> finalizers(List<String> present, boolean orphan, boolean foreground) {
    var kept = new ArrayList<String>();
    for (var finalizer : present) {
      boolean wanted =
          switch (finalizer) {
            case ORPHAN -> orphan;
            case FOREGROUND -> foreground;
            default -> true;
          };
      if (wanted) {
        kept.add(finalizer);
      }
    }
    if (orphan && !kept.contains(ORPHAN)) {
      kept.add(ORPHAN);
    }
    if (foreground && !kept.contains(FOREGROUND)) {
      kept.add(FOREGROUND);
    }
    return kept;
  }

  private static boolean orphans(
      List<String> finalizers, DeleteOptions options, Strategy strategy) {
    var old = options.orphanDependents();
    if (old != null) {
      return old;
    }
    return switch (options.propagation()) {
      case "Orphan" -> true;
      case "Foreground", "Background" -> false;
      default ->
          finalizers.contains(ORPHAN)
              || (!finalizers.contains(FOREGROUND) && strategy.orphansDependents());
    };
  }

  private static boolean waitsForDependents(List<String> finalizers, DeleteOptions options) {
    if (options.orphanDependents() != null) {
      return false;
    }
    return switch (options.propagation()) {
      case "Foreground" -> true;
      case "Orphan", "Background" -> false;
      default -> finalizers.contains(FOREGROUND);
    };
  }
}
