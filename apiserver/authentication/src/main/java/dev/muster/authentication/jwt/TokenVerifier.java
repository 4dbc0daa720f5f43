package dev.muster.authentication.jwt;

import com.nimbusds.jose.JWSObject;
import dev.muster.authentication.RefusedCredentials;
import dev.muster.model.gocompat.GoText;
import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonDecimal;
import dev.muster.model.json.JsonInteger;
import dev.muster.model.json.JsonNull;
import dev.muster.model.json.JsonObject;
import dev.muster.model.json.JsonString;
import java.text.ParseException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;

/**
 * Verifies the audience, lifetime, algorithm and signature of an issuer's token. Immutable. {@link
 * #verify} blocks while keys are fetched.
 *
 * @param audiences the accepted audiences; a token needs one of them
 * @param algorithms the allowed signing algorithms
 */
record TokenVerifier(List<String> audiences, Set<String> algorithms, InstantSource clock) {
  /** The tolerated clock difference for tokens that are not valid yet; expiry has no tolerance. */
  private static final Duration EARLY = Duration.ofMinutes(1);

  private static final DateTimeFormatter GO_TIME =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss +0000 'UTC'", Locale.ROOT)
          .withZone(ZoneOffset.UTC);

  /** The latest time that can be represented. */
  private static final double LATEST_SECONDS = 253_402_300_799d;

  /**
   * Returns normally when the token is valid.
   *
   * @param claims of the token
   * @param keys of its issuer
   * @throws RefusedCredentials when the token is invalid in any way
   */
  void verify(String token, JsonObject claims, ProviderKeys keys) {
    // The cheap checks come first, so that only plausible tokens cause a fetch of keys.
    checkAudiences(claims);
    checkTimes(claims);
    var signed = parse(token);
    var algorithm = signed.getHeader().getAlgorithm().getName();
    if (!algorithms.contains(algorithm)) {
      throw wrong(
          "oidc: id token signed with unsupported algorithm, expected "
              + quoted(List.copyOf(new TreeSet<>(algorithms)))
              + " got "
              + GoText.quote(algorithm));
    }
    if (!keys.haveSigned(signed)) {
      throw wrong("failed to verify signature: failed to verify id token signature");
    }
  }

  private static RefusedCredentials wrong(String why) {
    return new RefusedCredentials(why);
  }

  private static JWSObject parse(String token) {
    try {
      return JWSObject.parse(token);
    } catch (ParseException | IllegalArgumentException e) {
      throw wrong("oidc: malformed jwt: " + e.getMessage());
    }
  }

  private void checkAudiences(JsonObject claims) {
    var named =
        switch (claims.get("aud")) {
          case JsonString text -> List.of(text.value());
          case JsonArray array when array.strings().size() == array.size() -> array.strings();
          case JsonNull ignored -> List.<String>of();
          case null -> List.<String>of();
          default -> throw wrong("oidc: failed to unmarshal claims: aud is no audience");
        };
    var wanted = audiences;
    if (named.stream().noneMatch(wanted::contains)) {
      throw wrong(
          "oidc: expected audience "
              + (wanted.size() == 1
                  ? GoText.quote(wanted.getFirst())
                  : "in " + quoted(List.copyOf(new TreeSet<>(wanted))))
              + " got "
              + quoted(named));
    }
  }

  private void checkTimes(JsonObject claims) {
    var now = clock.instant();
    var expiry = time(claims, "exp");
    if (expiry.isBefore(now)) {
      throw wrong("oidc: token is expired (Token Expiry: " + GO_TIME.format(expiry) + ")");
    }
    if (claims.has("nbf")) {
      var begin = time(claims, "nbf");
      if (now.plus(EARLY).isBefore(begin)) {
        throw wrong(
            "oidc: current time %s before the nbf (not before) time: %s"
                .formatted(GO_TIME.format(now), GO_TIME.format(begin)));
      }
    }
  }

  /** An absent time counts as long ago. */
  private static Instant time(JsonObject claims, String name) {
    double seconds =
        switch (claims.get(name)) {
          case null -> 0;
          case JsonNull ignored -> 0;
          case JsonInteger number -> (double) number.value();
          case JsonDecimal number -> number.doubleValue();
          case Json other ->
              throw wrong("oidc: failed to unmarshal claims: " + name + " is no time");
        };
    return Instant.ofEpochSecond((long) Math.clamp(seconds, 0, LATEST_SECONDS));
  }

  private static String quoted(List<String> texts) {
    return "[" + String.join(" ", texts.stream().map(GoText::quote).toList()) + "]";
  }
}
