package dev.muster.controllers.bootstrap;

import dev.muster.model.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.Base64;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Reads bootstrap token secrets and signs with them. */
final class BootstrapTokens {
  static final String TYPE = "bootstrap.kubernetes.io/token";
  static final String NAMESPACE = "kube-system";
  private static final String PREFIX = "bootstrap-token-";
  private static final String SIGNATURE = "jws-kubeconfig-";
  private static final Pattern ID = Pattern.compile("[a-z0-9]{6}");

  private BootstrapTokens() {}

  private static String value(JsonObject secret, String field) {
    var encoded = secret.object("data").string(field);
    try {
      return new String(Base64.getMimeDecoder().decode(encoded), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      return "";
    }
  }

  static boolean isToken(JsonObject secret) {
    return secret.string("type").equals(TYPE);
  }

  /** The expiry of a token, if it has one. An invalid time counts as expired. */
  static Optional<Instant> expires(JsonObject secret) {
    var text = value(secret, "expiration");
    if (text.isEmpty()) {
      return Optional.empty();
    }
    try {
      return Optional.of(OffsetDateTime.parse(text).toInstant());
    } catch (DateTimeParseException e) {
      return Optional.of(Instant.EPOCH);
    }
  }

  /**
   * The data of {@code cluster-info}, signed with each token that allows signing. For signing the
   * token secret may be any text; only authentication requires the usual form.
   *
   * @param secrets of {@code kube-system}
   */
  static JsonObject signed(JsonObject data, Iterable<JsonObject> secrets, Instant now) {
    var signatures = new TreeMap<String, String>();
    for (var secret : secrets) {
      var id = value(secret, "token-id");
      var key = value(secret, "token-secret");
      boolean valid =
          isToken(secret)
              && secret.object("metadata").string("name").equals(PREFIX + id)
              && ID.matcher(id).matches()
              && !key.isEmpty()
              && expires(secret).map(now::isBefore).orElse(true)
              && value(secret, "usage-bootstrap-signing").equals("true");
      if (valid) {
        signatures.put(SIGNATURE + id, sign(data.string("kubeconfig"), id, key));
      }
    }
    var next = JsonObject.builder();
    for (var name : data.keys()) {
      if (!name.startsWith(SIGNATURE)) {
        next.put(name, data.string(name));
      }
    }
    signatures.forEach(next::put);
    return next.build();
  }

  /** A JWS with detached content: HMAC with the whole token. */
  static String sign(String content, String id, String secret) {
    var header = "{\"alg\":\"HS256\",\"kid\":\"%s\"}".formatted(id);
    var start = encode(header.getBytes(StandardCharsets.UTF_8));
    var body = encode(content.getBytes(StandardCharsets.UTF_8));
    try {
      var mac = Mac.getInstance("HmacSHA256");
      var token = id + "." + secret;
      mac.init(new SecretKeySpec(token.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
      var signature = mac.doFinal((start + "." + body).getBytes(StandardCharsets.US_ASCII));
      return start + ".." + encode(signature);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String encode(byte[] bytes) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }
}
