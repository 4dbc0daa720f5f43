package dev.muster.registry;

import dev.muster.model.ApiException;
import dev.muster.model.ObjectName;
import dev.muster.model.Reason;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/** Where a paged list goes on: after which object, at which revision. Opaque to clients. */
record ContinueToken(long revision, ObjectName after) {

  String text() {
    var plain = "v1:" + revision + ":" + after.namespace() + ":" + after.name();
    return Base64.getUrlEncoder()
        .withoutPadding()
        .encodeToString(plain.getBytes(StandardCharsets.UTF_8));
  }

  static ContinueToken parse(String text) {
    try {
      var plain = new String(Base64.getUrlDecoder().decode(text), StandardCharsets.UTF_8);
      var parts = plain.split(":", 4);
      if (parts.length == 4 && parts[0].equals("v1")) {
        return new ContinueToken(Long.parseLong(parts[1]), new ObjectName(parts[2], parts[3]));
      }
    } catch (IllegalArgumentException e) {
      throw notValid("it was not made by this server");
    }
    throw notValid("unknown form");
  }

  private static ApiException notValid(String why) {
    return new ApiException(Reason.BAD_REQUEST, "continue key is not valid: " + why);
  }
}
