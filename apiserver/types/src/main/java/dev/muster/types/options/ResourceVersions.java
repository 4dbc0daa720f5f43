package dev.muster.types.options;

import dev.muster.model.gocompat.GoText;
import dev.muster.model.status.ApiException;
import dev.muster.model.status.Reason;
import dev.muster.model.status.StatusDetails;
import dev.muster.model.validation.FieldError;
import dev.muster.model.validation.FieldPath;
import java.util.List;

/** Parses {@code resourceVersion}, and builds the errors for versions that cannot be served. */
public final class ResourceVersions {
  private ResourceVersions() {}

  /**
   * Parses a revision: 0 for "" and "0", {@link Long#MAX_VALUE} for unsigned 64-bit numbers that no
   * store reaches. Any other text answers BadRequest.
   */
  public static long parse(String text) {
    return parse(text, "");
  }

  /** Like {@link #parse(String)}, with the error message of list requests. */
  public static long ofList(String text) {
    return parse(text, "invalid resource version: ");
  }

  private static long parse(String text, String introduction) {
    if (text.isEmpty()) {
      return 0;
    }
    boolean digits = text.chars().allMatch(c -> c >= '0' && c <= '9');
    if (digits) {
      try {
        long revision = Long.parseUnsignedLong(text);
        return revision < 0 ? Long.MAX_VALUE : revision;
      } catch (NumberFormatException e) {
        // above 64 bits: refused below
      }
    }
    var why = digits ? "value out of range" : "invalid syntax";
    var error =
        FieldError.invalid(
            FieldPath.of("resourceVersion"),
            text,
            "strconv.ParseUint: parsing " + GoText.quote(text) + ": " + why);
    throw new ApiException(Reason.BAD_REQUEST, introduction + error);
  }

  public static ApiException tooLarge(long wanted, long current) {
    var cause =
        new StatusDetails.Cause("ResourceVersionTooLarge", "Too large resource version", "");
    return new ApiException(
        Reason.TIMEOUT,
        "Timeout: Too large resource version: " + wanted + ", current: " + current,
        StatusDetails.NONE.withCauses(List.of(cause)).withRetryAfter(1));
  }

  public static ApiException expired(long wanted, long oldest) {
    return new ApiException(
        Reason.EXPIRED, "too old resource version: " + wanted + " (" + oldest + ")");
  }
}
