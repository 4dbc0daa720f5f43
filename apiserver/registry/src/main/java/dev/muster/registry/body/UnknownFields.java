package dev.muster.registry.body;

import dev.muster.model.gocompat.GoText;
import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonObject;
import dev.muster.patch.JsonPatch;
import dev.muster.wire.Document;
import dev.muster.wire.Duplicates;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** Reports the unknown and repeated keys of a document, in the order of its text. */
public final class UnknownFields {
  private static final int MOST = 100;

  private final Duplicates duplicates;
  private final List<String> complaints = new ArrayList<>();

  private UnknownFields(Duplicates duplicates) {
    this.duplicates = duplicates;
  }

  public static List<String> in(Document document) {
    if (document.duplicates().isEmpty()) {
      return List.of();
    }
    var found = new UnknownFields(document.duplicates());
    found.visit(document.value(), "");
    return found.complaints;
  }

  /** Repeated keys in a JSON patch, and unknown fields of its operations. */
  static List<String> inPatch(Document patch) {
    var found = new UnknownFields(patch.duplicates());
    if (patch.value() instanceof JsonArray operations) {
      for (int i = 0; i < operations.size(); i++) {
        if (operations.get(i) instanceof JsonObject operation) {
          found.visit(operation, "[" + i + "]", JsonPatch::isField);
        }
      }
    }
    return found.complaints;
  }

  private void visit(JsonObject object, String path, Predicate<String> known) {
    var repeats = duplicates.in(object);
    for (int i = 0; i <= object.size(); i++) {
      for (var repeat : repeats) {
        if (repeat.position() == i) {
          complain("duplicate field ", child(path, repeat.key()));
        }
      }
      if (i < object.size() && !known.test(object.key(i))) {
        complain("unknown field ", child(path, object.key(i)));
      } else if (i < object.size() && !duplicates.isEmpty()) {
        visit(object.value(i), child(path, object.key(i)));
      }
    }
  }

  private void visit(Json value, String path) {
    if (value instanceof JsonObject object) {
      visit(object, path, key -> true);
    } else if (value instanceof JsonArray array) {
      for (int i = 0; i < array.size(); i++) {
        visit(array.get(i), path + "[" + i + "]");
      }
    }
  }

  private void complain(String what, String path) {
    var complaint = what + GoText.quote(path);
    if (complaints.size() < MOST && !complaints.contains(complaint)) {
      complaints.add(complaint);
    }
  }

  private static String child(String path, String key) {
    return path.isEmpty() ? key : path + "." + key;
  }
}
