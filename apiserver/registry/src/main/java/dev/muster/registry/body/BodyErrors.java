package dev.muster.registry.body;

import dev.muster.model.GroupVersionKind;
import dev.muster.model.gocompat.GoText;
import dev.muster.model.json.Json;
import dev.muster.model.status.ApiException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/** Upstream's error messages for invalid bodies. */
final class BodyErrors {
  private static final int SUMMARY = 30;

  private BodyErrors() {}

  static String notAText(String field, Json value) {
    return "couldn't get version/kind; json parse error: json: cannot unmarshal "
        + GoText.kind(value)
        + " into Go struct field ."
        + field
        + " of type string";
  }

  /** Go's error message for a value that should be an object with a kind. */
  static String notAnObject(Json value) {
    return "couldn't get version/kind; json parse error: json: cannot unmarshal "
        + GoText.kind(value)
        + " into Go value of type struct { APIVersion string \"json:\\\"apiVersion,omitempty\\\"\";"
        + " Kind string \"json:\\\"kind,omitempty\\\"\" }";
  }

  static String missing(String field, byte[] bytes) {
    return "Object '%s' is missing in '%s'"
        .formatted(
            field.equals("kind") ? "Kind" : field, new String(bytes, StandardCharsets.UTF_8));
  }

  static ApiException otherVersion(String given, GroupVersionKind expected) {
    return ApiException.badRequest(
        "the API version in the data ("
            + given
            + ") does not match the expected API version ("
            + expected.apiVersion()
            + ")");
  }

  static ApiException unhandled(GroupVersionKind given, GroupVersionKind expected, String why) {
    return ApiException.badRequest(
        given.kind()
            + " in version "
            + GoText.quote(given.version())
            + " cannot be handled as a "
            + expected.kind()
            + ": "
            + why);
  }

  static ApiException unrecognized(GroupVersionKind expected, String why, byte[] bytes) {
    return ApiException.badRequest(
        "the object provided is unrecognized (must be of type "
            + expected.kind()
            + "): "
            + why
            + " ("
            + summary(bytes)
            + ")");
  }

  /** The beginning of a body, as text when it looks like JSON, otherwise in hexadecimal. */
  private static String summary(byte[] bytes) {
    if (bytes.length == 0) {
      return "<empty>";
    }
    int shown = Math.min(bytes.length, SUMMARY);
    var text =
        bytes[0] == '{'
            ? new String(bytes, 0, shown, StandardCharsets.UTF_8)
            : HexFormat.of().formatHex(bytes, 0, shown);
    return bytes.length > SUMMARY ? text + " ..." : text;
  }
}
