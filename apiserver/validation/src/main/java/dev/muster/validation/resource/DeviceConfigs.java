package dev.muster.validation.resource;

import dev.muster.model.gocompat.GoText;
import dev.muster.model.json.Json;
import dev.muster.model.json.JsonObject;
import dev.muster.validation.FieldCursor;

/** Validates opaque driver configuration. */
final class DeviceConfigs {
  static final int MOST = 32;
  static final int MOST_BYTES = 10 * 1024;

  private DeviceConfigs() {}

  static void check(FieldCursor config) {
    var opaque = config.at("opaque");
    if (opaque.isAbsent()) {
      opaque.required("");
      return;
    }
    DeviceNames.driver(opaque.at("driver"));
    object(opaque.at("parameters"), !opaque.isUpdate() || opaque.isChanged());
  }

  /**
   * A JSON object.
   *
   * @param limited whether its size is limited
   */
  static void object(FieldCursor data, boolean limited) {
    var value = data.value();
    if (value == null) {
      data.required("");
    } else if (limited && GoText.bytes(value.toString()) > MOST_BYTES) {
      data.tooLong(MOST_BYTES);
    } else if (!(value instanceof JsonObject)) {
      data.invalid(Json.of("<value omitted>"), "must be a valid JSON object");
    }
  }
}
