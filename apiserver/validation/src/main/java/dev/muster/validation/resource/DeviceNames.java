package dev.muster.validation.resource;

import dev.muster.model.gocompat.GoText;
import dev.muster.model.json.Json;
import dev.muster.model.validation.Names;
import dev.muster.validation.FieldCursor;
import dev.muster.validation.storage.VolumeSources;
import java.util.Locale;
import java.util.regex.Pattern;

/** Validates names of drivers, pools, attributes and shares. */
final class DeviceNames {
  private static final int MOST_POOL_BYTES = 253;
  private static final int MOST_ID_BYTES = 32;
  private static final Pattern HEX = Pattern.compile("[0-9A-Fa-f]+");

  private DeviceNames() {}

  static void driver(FieldCursor driver) {
    VolumeSources.driverName(driver);
  }

  static void label(FieldCursor name) {
    name.invalidEach(Names.dnsLabel(name.text()));
  }

  /** A pool name: one or more domains separated by slashes. */
  static void pool(FieldCursor pool) {
    if (pool.isEmpty()) {
      pool.required("");
      return;
    }
    if (GoText.bytes(pool.text()) > MOST_POOL_BYTES) {
      pool.tooLong(MOST_POOL_BYTES);
    }
    for (var part : pool.text().split("/", -1)) {
      pool.with(Json.of(part)).invalidEach(Names.dnsSubdomain(part));
    }
  }

  /**
   * An identifier with an optional domain.
   *
   * @param place the field at which errors are reported
   */
  static void qualified(FieldCursor place, String name) {
    var parts = name.split("/", -1);
    switch (parts.length) {
      case 1 -> identifier(place, parts[0]);
      case 2 -> {
        if (parts[0].isEmpty()) {
          place.invalid(Json.of(""), "the domain must not be empty");
        } else {
          driver(place.with(Json.of(parts[0])));
        }
        if (parts[1].isEmpty()) {
          place.invalid(Json.of(""), "the name must not be empty");
        } else {
          identifier(place, parts[1]);
        }
      }
      default -> {}
    }
  }

  /** An identifier with a domain. */
  static void fullyQualified(FieldCursor name) {
    qualified(name, name.text());
    if (name.text().indexOf('/') < 0) {
      name.invalid("a fully qualified name must be a domain and a name separated by a slash");
    }
  }

  private static void identifier(FieldCursor place, String id) {
    if (GoText.bytes(id) > MOST_ID_BYTES) {
      place.tooLong(MOST_ID_BYTES);
    }
    place.with(Json.of(id)).invalidEach(Names.cIdentifier(id));
  }

  /** The UID of a share in canonical form. */
  static void share(FieldCursor share) {
    var uid = share.text();
    var problem = uuidProblem(uid);
    if (!problem.isEmpty()) {
      share.invalid("error validating uid: " + problem);
    } else if (uid.length() != 36 || !uid.equals(uid.toLowerCase(Locale.ROOT))) {
      share.invalid(
          "uid must be in RFC 4122 normalized form, `xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx` with"
              + " lowercase hexadecimal characters");
    }
  }

  private static String uuidProblem(String uid) {
    return switch (uid.length()) {
      case 36 -> dashed(uid) ? "" : "invalid UUID format";
      case 45 ->
          !uid.substring(0, 9).equalsIgnoreCase("urn:uuid:")
              ? "invalid urn prefix: " + GoText.quote(uid.substring(0, 9))
              : dashed(uid.substring(9)) ? "" : "invalid UUID format";
      case 38 ->
          uid.startsWith("{") && uid.endsWith("}")
              ? dashed(uid.substring(1, 37)) ? "" : "invalid UUID format"
              : "invalid bracketed UUID format";
      case 32 -> HEX.matcher(uid).matches() ? "" : "invalid UUID format";
      default -> "invalid UUID length: " + uid.length();
    };
  }

  private static boolean dashed(String uid) {
    var parts = uid.split("-", -1);
    int[] lengths = {8, 4, 4, 4, 12};
    if (parts.length != lengths.length) {
      return false;
    }
    for (int i = 0; i < lengths.length; i++) {
      if (parts[i].length() != lengths[i] || !HEX.matcher(parts[i]).matches()) {
        return false;
      }
    }
    return true;
  }
}
