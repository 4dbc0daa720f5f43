package dev.muster.validation.storage;

import dev.muster.model.gocompat.GoText;
import dev.muster.model.json.Json;
import dev.muster.model.validation.Names;
import dev.muster.validation.FieldCursor;
import dev.muster.validation.Rule;
import java.util.Locale;

/** Validates the driver and the parameters of storage classes. */
final class StorageParameters {
  private static final int MOST_PARAMETERS = 512;
  static final int MOST_BYTES = 256 * 1024;

  private StorageParameters() {}

  /** The name of a driver, in any case, with an optional domain. */
  static void driver(FieldCursor name) {
    if (name.isEmpty()) {
      name.required("");
      return;
    }
    var lower = name.text().toLowerCase(Locale.ROOT);
    for (var problem : Names.qualifiedName(lower)) {
      name.invalid(Json.of(lower), problem);
    }
  }

  static Rule check(boolean mayBeEmpty) {
    return parameters -> {
      if (parameters.object().size() > MOST_PARAMETERS) {
        parameters.tooLong(MOST_PARAMETERS);
        return;
      }
      if (parameters.object().has("")) {
        parameters.invalid(Json.of(""), "field can not be empty.");
      }
      if (bytes(parameters) > MOST_BYTES) {
        parameters.tooLong(MOST_BYTES);
      }
      if (!mayBeEmpty && parameters.isEmpty()) {
        parameters.required("must contain at least one key/value pair");
      }
    };
  }

  /** The total bytes of all keys and values of a map. */
  static long bytes(FieldCursor map) {
    long sum = 0;
    for (var entry : map.entries()) {
      sum += GoText.bytes(entry.name()) + GoText.bytes(entry.text());
    }
    return sum;
  }
}
