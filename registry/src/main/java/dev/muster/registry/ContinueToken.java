package dev.muster.registry;

import dev.muster.model.ApiException;
import dev.muster.model.ObjectName;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/**
 * Where a paged list goes on. Opaque to clients, understood by every server of the fleet.
 *
 * @param revision the revision of all pages, or {@link #ANY_REVISION}
 * @param after the last object that was sent
 */
record ContinueToken(long revision, ObjectName after) {
  /** Goes on at the current state, for clients that accept an inconsistent list. */
  static final long ANY_REVISION = -1;

  String text() {
    var plain = "m1:" + revision + ":" + after.namespace() + ":" + after.name();
    return Base64.getUrlEncoder()
        .withoutPadding()
        .encodeToString(plain.getBytes(StandardCharsets.UTF_8));
  }

  static ContinueToken parse(String text) {
    try {
      var plain = new String(Base64.getUrlDecoder().decode(text), StandardCharsets.UTF_8);
      var parts = plain.split(":", 4);
      if (parts.length == 4 && parts[0].equals("m1")) {
        return new ContinueToken(Long.parseLong(parts[1]), new ObjectName(parts[2], parts[3]));
      }
    } catch (IllegalArgumentException e) {
      // answered below
    }
    throw ApiException.badRequest(
        "continue key is not valid: it was not made by this control plane");
  }
}
