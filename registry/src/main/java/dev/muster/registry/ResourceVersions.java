package dev.muster.registry;

import dev.muster.model.ApiException;
import dev.muster.model.FieldError;
import dev.muster.model.FieldPath;
import dev.muster.model.Reason;
import dev.muster.model.StatusDetails;
import java.util.List;

/** Reading {@code resourceVersion} and saying why one cannot be served. */
final class ResourceVersions {
  private ResourceVersions() {}

  /** The revision that a text names; 0 for "" and "0". A malformed one is the client's fault. */
  static long parse(String text) {
    if (text.isEmpty()) {
      return 0;
    }
    try {
      long revision = Long.parseUnsignedLong(text);
      if (text.charAt(0) != '+' && revision >= 0) {
        return revision;
      }
    } catch (NumberFormatException e) {
      // answered below
    }
    var error =
        FieldError.invalid(
            FieldPath.of("resourceVersion"),
            text,
            "strconv.ParseUint: parsing \"" + text + "\": invalid syntax");
    throw new ApiException(Reason.BAD_REQUEST, error.toString());
  }

  static ApiException tooLarge(long wanted, long current) {
    var cause =
        new StatusDetails.Cause("ResourceVersionTooLarge", "Too large resource version", "");
    return new ApiException(
        Reason.TIMEOUT,
        "Timeout: Too large resource version: " + wanted + ", current: " + current,
        StatusDetails.NONE.withCauses(List.of(cause)).withRetryAfter(1));
  }

  static ApiException expired(long wanted, long oldest) {
    return new ApiException(
        Reason.EXPIRED, "too old resource version: " + wanted + " (" + oldest + ")");
  }
}
