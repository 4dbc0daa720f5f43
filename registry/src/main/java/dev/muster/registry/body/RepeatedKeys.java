package dev.muster.registry.body;

import dev.muster.model.go.GoText;
import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonObject;
import dev.muster.wire.Document;
import dev.muster.wire.Duplicates;
import java.util.ArrayList;
import java.util.List;

/** The keys that a document repeats, as complaints in the order of its text. */
public final class RepeatedKeys {
  private static final int MOST = 100;

  private final Duplicates duplicates;
  private final List<String> complaints = new ArrayList<>();

  private RepeatedKeys(Duplicates duplicates) {
    this.duplicates = duplicates;
  }

  public static List<String> in(Document document) {
    if (document.duplicates().isEmpty()) {
      return List.of();
    }
    var found = new RepeatedKeys(document.duplicates());
    found.visit(document.value(), "");
    return found.complaints;
  }

  private void visit(Json value, String path) {
    if (value instanceof JsonObject object) {
      var repeats = duplicates.in(object);
      for (int i = 0; i <= object.size(); i++) {
        for (var repeat : repeats) {
          if (repeat.position() == i) {
            complain("duplicate field " + GoText.quote(child(path, repeat.key())));
          }
        }
        if (i < object.size()) {
          visit(object.value(i), child(path, object.key(i)));
        }
      }
    } else if (value instanceof JsonArray array) {
      for (int i = 0; i < array.size(); i++) {
        visit(array.get(i), path + "[" + i + "]");
      }
    }
  }

  private void complain(String complaint) {
    if (complaints.size() < MOST && !complaints.contains(complaint)) {
      complaints.add(complaint);
    }
  }

  private static String child(String path, String key) {
    return path.isEmpty() ? key : path + "." + key;
  }
}
