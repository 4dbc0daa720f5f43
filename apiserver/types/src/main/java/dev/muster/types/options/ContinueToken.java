package dev.muster.types.options;

import dev.muster.model.ObjectName;
import dev.muster.model.json.JsonInteger;
import dev.muster.model.json.JsonObject;
import dev.muster.model.status.ApiException;
import dev.muster.wire.DecodeException;
import dev.muster.wire.JsonReader;
import dev.muster.wire.JsonWriter;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/**
 * The position at which a paged list continues. Opaque to clients; in kube-apiserver's format, so
 * that every server of the fleet understands it.
 *
 * @param revision the revision of all pages, or {@link #ANY_REVISION}
 * @param start the first key that may come next, relative to the listed prefix
 */
public record ContinueToken(long revision, String start) {
  /** Continues at the current state, for clients that accept an inconsistent list. */
  public static final long ANY_REVISION = -1;

  private static final String VERSION = "meta.k8s.io/v1";
  private static final String NOT_VALID = "continue key is not valid: ";

  /** Smaller than every character of a name; appended to a key, it makes the next possible key. */
  private static final char NEXT = '\0';

  /**
   * @param within the listed namespace, or "" for all
   */
  public static ContinueToken after(ObjectName last, String within, long revision) {
    return new ContinueToken(revision, (within.isEmpty() ? last.toString() : last.name()) + NEXT);
  }

  public ContinueToken atAnyRevision() {
    return new ContinueToken(ANY_REVISION, start);
  }

  /** The last object of the previous page. */
  public ObjectName last(String within) {
    var key =
        start.charAt(start.length() - 1) == NEXT ? start.substring(0, start.length() - 1) : start;
    int slash = key.indexOf('/');
    if (!within.isEmpty() || slash < 0) {
      return new ObjectName(within, key);
    }
    return new ObjectName(key.substring(0, slash), key.substring(slash + 1));
  }

  public String text() {
    var plain = JsonWriter.bytes(JsonObject.of("v", VERSION, "rv", revision, "start", start));
    return Base64.getUrlEncoder().withoutPadding().encodeToString(plain);
  }

  public static ContinueToken parse(String text) {
    JsonObject token;
    try {
      token =
          JsonReader.read(decoded(text)) instanceof JsonObject object ? object : JsonObject.EMPTY;
    } catch (DecodeException e) {
      throw refused(NOT_VALID + e.text());
    }
    var version = token.string("v");
    if (!version.equals(VERSION)) {
      throw refused(NOT_VALID + "server does not recognize this encoded version " + version);
    }
    long revision = token.get("rv") instanceof JsonInteger number ? number.value() : 0;
    if (revision == 0) {
      throw refused(
          NOT_VALID + "incorrect encoded start resourceVersion (version " + VERSION + ")");
    }
    var start = token.string("start");
    if (start.isEmpty()) {
      throw refused(NOT_VALID + "encoded start key empty (version " + VERSION + ")");
    }
    if (climbs(start)) {
      throw refused(NOT_VALID + start);
    }
    return new ContinueToken(revision, start);
  }

  private static byte[] decoded(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      boolean known =
          (c >= 'A' && c <= 'Z')
              || (c >= 'a' && c <= 'z')
              || (c >= '0' && c <= '9')
              || c == '-'
              || c == '_';
      if (!known) {
        throw notBase64(i);
      }
    }
    if (text.length() % 4 == 1) {
      throw notBase64(text.length() - 1);
    }
    return Base64.getUrlDecoder().decode(text.getBytes(StandardCharsets.ISO_8859_1));
  }

  private static ApiException notBase64(int position) {
    return refused(NOT_VALID + "illegal base64 data at input byte " + position);
  }

  /** Whether the key contains path segments such as {@code ..}. */
  private static boolean climbs(String start) {
    var key = start.startsWith("/") ? start.substring(1) : start;
    for (var part : key.split("/", -1)) {
      if (part.isEmpty() || part.equals(".") || part.equals("..")) {
        return true;
      }
    }
    return false;
  }

  private static ApiException refused(String why) {
    return ApiException.badRequest("invalid continue token: " + why);
  }
}
