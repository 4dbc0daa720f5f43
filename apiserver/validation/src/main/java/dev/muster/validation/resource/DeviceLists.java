package dev.muster.validation.resource;

import dev.muster.model.json.Json;
import dev.muster.model.validation.FieldError;
import dev.muster.validation.FieldCursor;
import dev.muster.validation.Rule;
import java.util.HashSet;
import java.util.function.Function;

/** Validates lists; a list that is too long is refused without looking at its items. */
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

  /** Requires unique keys; an item with the key of an earlier one is refused as a whole. */
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

  /** A list whose items are identified by that field. */
  static void named(FieldCursor list, int most, Rule item, String field) {
    set(list, most, item, member -> Json.of(member.at(field).text()));
  }

  static void texts(FieldCursor list, int most, Rule item) {
    set(list, most, item, member -> Json.of(member.text()));
  }
}
