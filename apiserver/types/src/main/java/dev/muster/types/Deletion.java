package dev.muster.types;

import dev.muster.model.MalformedValueException;
import dev.muster.model.Timestamps;
import dev.muster.model.json.Json;
import dev.muster.model.json.JsonObject;
import dev.muster.types.options.DeleteOptions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/** The effect of a delete on an object, which depends only on the object and the options. */
public sealed interface Deletion {
  String ORPHAN = "orphan";
  String FOREGROUND = "foregroundDeletion";
  Instant LAST = Instant.parse("9999-12-31T23:59:59Z");

  /** The object is removed; clients see it in this form. */
  record Remove(JsonObject shown) implements Deletion {}

  /** The object stays, marked with a deletionTimestamp. */
  record Mark(JsonObject marked) implements Deletion {}

  /** The object is being deleted already, and nothing changes. */
  record Leave() implements Deletion {}

  static Deletion of(JsonObject object, DeleteOptions options, Strategy strategy, Instant now) {
    var finalizers = finalizersAfter(object, options, strategy);
    var withFinalizers =
        finalizers.equals(ObjectMeta.finalizers(object))
            ? object
            : ObjectMeta.withFinalizers(object, finalizers);
    var requested = nonNegative(options.gracePeriodSeconds());
    var grace = strategy.gracePeriod(object, requested);
    long pending = object.object("metadata").integer("deletionGracePeriodSeconds", 0);
    boolean held = strategy.isHeld(withFinalizers);
    if (grace.isEmpty() || (ObjectMeta.isDeleting(object) && pending == 0)) {
      if (!held) {
        return new Remove(object);
      }
      var marked = mark(withFinalizers, now, 0);
      return marked.equals(object) ? new Leave() : new Mark(marked);
    }
    if (ObjectMeta.isDeleting(object)) {
      return again(object, withFinalizers, held, requested, now);
    }
    var marked = mark(withFinalizers, after(now, grace.getAsLong()), grace.getAsLong());
    return grace.getAsLong() == 0 && !held ? new Remove(marked) : new Mark(marked);
  }

  /**
   * The effect on an object that is being deleted already: a repeated delete can only shorten the
   * grace period, otherwise it changes nothing.
   */
  private static Deletion again(
      JsonObject object,
      JsonObject withFinalizers,
      boolean held,
      OptionalLong requested,
      Instant now) {
    long pending = Math.max(object.object("metadata").integer("deletionGracePeriodSeconds", 0), 1);
    if (requested.isEmpty() || requested.getAsLong() >= pending) {
      return new Leave();
    }
    var shortened = shorten(withFinalizers, pending, requested.getAsLong(), now);
    return requested.getAsLong() == 0 && !held ? new Remove(shortened) : new Mark(shortened);
  }

  /** The moment after that many seconds, limited to the latest time that a timestamp can hold. */
  private static Instant after(Instant now, long seconds) {
    return seconds < LAST.getEpochSecond() - now.getEpochSecond() ? now.plusSeconds(seconds) : LAST;
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

  /**
   * Shortens the grace period. The deletionTimestamp moves forward, but not into the past; an
   * object that is overdue keeps a grace period of one second.
   */
  private static JsonObject shorten(JsonObject object, long from, long to, Instant now) {
    Instant due;
    try {
      due = Timestamps.parse(ObjectMeta.text(object, "deletionTimestamp"));
    } catch (MalformedValueException e) {
      due = Instant.EPOCH;
    }
    var end = due.minusSeconds(from - to);
    boolean over = end.isBefore(now);
    var moved = ObjectMeta.with(object, "deletionTimestamp", Timestamps.format(over ? now : end));
    return ObjectMeta.with(
        moved, "deletionGracePeriodSeconds", Json.of(over ? Math.min(to, 1) : to));
  }

  /** The finalizers after the propagation policy has added and removed its own. */
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
