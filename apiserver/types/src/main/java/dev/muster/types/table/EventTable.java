package dev.muster.types.table;

import static dev.muster.types.table.Cells.orElse;
import static dev.muster.types.table.Cells.path;
import static dev.muster.types.table.Cells.text;

import dev.muster.model.Timestamps;
import dev.muster.model.json.Json;
import dev.muster.model.json.JsonObject;
import java.time.Instant;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The table of events, of the core group and of {@code events.k8s.io}. */
public final class EventTable {
  public static final TableSpec SPEC =
      TableSpec.of(
          Cells.timed("Last Seen", "When it happened the last time.", EventTable::lastSeen),
          text("Type", "Normal or Warning.", path("type")),
          text("Reason", "Why the event was reported, in one word.", path("reason")),
          text("Object", "What the event is about.", EventTable::target),
          text(
                  "Subobject",
                  "The part of the object that the event is about.",
                  event -> subject(event).string("fieldPath"))
              .wide(),
          text("Source", "Who reported the event.", EventTable::source).wide(),
          text("Message", "What happened.", EventTable::message),
          Cells.timed("First Seen", "When it happened first.", EventTable::firstSeen).wide(),
          Cells.count("Count", "How often it happened.", EventTable::count).wide(),
          new Column(
              "Name",
              "string",
              "name",
              1,
              "Name of the event.",
              (event, now) -> Json.of(event.object("metadata").string("name"))));

  private EventTable() {}

  private static JsonObject subject(JsonObject event) {
    return event.has("involvedObject") ? event.object("involvedObject") : event.object("regarding");
  }

  private static String target(JsonObject event) {
    var subject = subject(event);
    var kind = subject.string("kind").toLowerCase(Locale.ROOT);
    return subject.string("name").isEmpty() ? kind : kind + "/" + subject.string("name");
  }

  private static String message(JsonObject event) {
    return event.has("message") ? event.string("message").strip() : event.string("note").strip();
  }

  private static String source(JsonObject event) {
    var source = event.has("source") ? event.object("source") : event.object("deprecatedSource");
    var reporter = orElse(event.string("reportingComponent"), event.string("reportingController"));
    var component = orElse(source.string("component"), reporter);
    var instance = orElse(source.string("host"), event.string("reportingInstance"));
    return instance.isEmpty() ? component : component + ", " + instance;
  }

  private static Json firstSeen(JsonObject event, Instant now) {
    return Json.of(first(event, now));
  }

  private static String first(JsonObject event, Instant now) {
    var first = time(event, "firstTimestamp", "deprecatedFirstTimestamp");
    return Cells.since(Timestamps.read(first) == null ? event.get("eventTime") : first, now);
  }

  private static @Nullable Json time(JsonObject event, String field, String other) {
    return event.has(field) ? event.get(field) : event.get(other);
  }

  private static Json lastSeen(JsonObject event, Instant now) {
    if (event.has("series")) {
      return Json.of(Cells.since(event.object("series").get("lastObservedTime"), now));
    }
    var last = time(event, "lastTimestamp", "deprecatedLastTimestamp");
    return Json.of(Timestamps.read(last) == null ? first(event, now) : Cells.since(last, now));
  }

  private static Long count(JsonObject event) {
    if (event.has("series")) {
      return event.object("series").integer("count", 0);
    }
    long count = event.integer("count", event.integer("deprecatedCount", 0));
    return count == 0 ? 1L : count;
  }
}
