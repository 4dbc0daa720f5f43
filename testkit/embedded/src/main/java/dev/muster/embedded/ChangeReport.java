package dev.muster.embedded;

import dev.muster.model.json.Json;
import dev.muster.model.json.JsonObject;
import dev.muster.store.Entry;
import dev.muster.wire.JsonReader;
import dev.muster.wire.yaml.YamlWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * The recent changes in a cluster, to find the cause of a test failure: Events in a line each, then
 * the objects.
 *
 * @param entries new or changed objects, the oldest first
 */
record ChangeReport(List<Entry> entries) {
  private static final int MOST_OBJECTS = 50;
  private static final int MOST_CHARACTERS = 4_000;

  String text() {
    var events = new ArrayList<String>();
    var objects = new ArrayList<String>();
    for (var entry : entries) {
      if (entry.key().startsWith("/secrets/")) {
        objects.add("# Secret " + entry.key().substring("/secrets/".length()) + "\n");
      } else if (isJson(entry) && JsonReader.read(entry.value()) instanceof JsonObject object) {
        if (object.string("kind").equals("Event")) {
          events.add(event(object));
        } else if (!object.string("kind").isEmpty()) {
          objects.add(yaml(object));
        }
      }
    }
    var text = new StringBuilder();
    text.append("Events: ").append(events.isEmpty() ? "none\n" : "\n");
    events.forEach(text::append);
    text.append("Objects made or changed: ").append(objects.isEmpty() ? "none\n" : "\n");
    objects.stream().limit(MOST_OBJECTS).forEach(object -> text.append("---\n").append(object));
    if (objects.size() > MOST_OBJECTS) {
      text.append("--- and ").append(objects.size() - MOST_OBJECTS).append(" more\n");
    }
    return text.toString();
  }

  private static boolean isJson(Entry entry) {
    return entry.value().length > 0 && entry.value()[0] == '{';
  }

  /** Events of both API groups are stored in the core form. */
  private static String event(JsonObject event) {
    var about = event.object("involvedObject");
    return "  %s %s %s/%s: %s%n"
        .formatted(
            event.string("type"),
            event.string("reason"),
            about.string("kind"),
            about.string("name"),
            event.string("message"));
  }

  private static String yaml(JsonObject object) {
    Json shown = object.withoutAt("metadata", "managedFields");
    var text = new String(YamlWriter.bytes(shown), StandardCharsets.UTF_8);
    return text.length() <= MOST_CHARACTERS
        ? text
        : text.substring(0, MOST_CHARACTERS) + "\n# and more\n";
  }
}
