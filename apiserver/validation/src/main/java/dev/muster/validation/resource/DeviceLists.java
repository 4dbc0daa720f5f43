package dev.muster.validation.resource;

import dev.muster.model.json.Json;
import dev.muster.model.validation.FieldError;
import dev.muster.validation.FieldCursor;
import dev.muster.validation.Rule;
import java.util.HashSet;
import java.util.function.Function;

/** Lists that are not looked into when they are too long. */
final class DeviceLists {
  static final int NO_LIMIT = Integer.MAX_VALUE;

  private DeviceLists() {}

  static void list(FieldCursor list, int most, Rule item) {
    if (list.array().size() > most) {
      list.tooMany(most);
    } else {
      list.items().forEach(item::check);
    }
  }

  /** No two members have the same key; a member with a key that was there is refused as a whole. */
  static void set(FieldCursor list, int most, Rule item, Function<FieldCursor, Json> key) {
    list(list, most, item);
    if (list.array().size() > most) {
      return;
    }
    var seen = new HashSet<Json>();
    for (var member : list.items()) {
      var found = key.apply(member);
      if (!seen.add(found)) {
        member.report(FieldError.duplicate(member.path(), found));
      }
    }
  }

  /** Members are known by the text in that field. */
  static void named(FieldCursor list, int most, Rule item, String field) {
    set(list, most, item, member -> Json.of(member.at(field).text()));
  }

  static void texts(FieldCursor list, int most, Rule item) {
    set(list, most, item, member -> Json.of(member.text()));
  }
}
