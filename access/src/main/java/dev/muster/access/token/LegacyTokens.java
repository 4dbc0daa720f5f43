package dev.muster.access.token;

import dev.muster.access.RefusedCredentials;
import dev.muster.model.User;
import dev.muster.model.json.JsonObject;
import dev.muster.registry.types.ClusterView;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.LocalDate;
import java.util.Base64;
import java.util.List;

/**
 * Tokens that live in a secret of type {@code kubernetes.io/service-account-token} and never
 * expire. Such a token is good while the secret holds exactly it.
 */
public final class LegacyTokens {
  static final String ISSUER = "kubernetes/serviceaccount";

  private static final String PREFIX = "kubernetes.io/serviceaccount/";
  private static final String INVALID_SINCE = "kubernetes.io/legacy-token-invalid-since";
  private static final String INVALIDATED = "Token has been invalidated";

  private LegacyTokens() {}

  /** A token for a secret, to be put into its data by the controller that fills such secrets. */
  public static String sign(TokenKeys keys, JsonObject account, String secretName) {
    var metadata = account.object("metadata");
    var namespace = metadata.string("namespace");
    var name = metadata.string("name");
    return keys.sign(
        JsonObject.of(
            "iss",
            ISSUER,
            PREFIX + "namespace",
            namespace,
            PREFIX + "secret.name",
            secretName,
            PREFIX + "service-account.name",
            name,
            PREFIX + "service-account.uid",
            metadata.string("uid"),
            "sub",
            User.SERVICE_ACCOUNT_PREFIX + namespace + ":" + name));
  }

  /**
   * Checks a token whose signature holds.
   *
   * @return the objects it is bound to, the service account first
   */
  static List<BoundObject> check(
      String token, JsonObject claims, ClusterView view, LocalDate today, LegacyTokenUse use) {
    var subject = claim(claims, "sub", "sub");
    var namespace = claim(claims, PREFIX + "namespace", "namespace");
    var secretName = claim(claims, PREFIX + "secret.name", "secretName");
    var name = claim(claims, PREFIX + "service-account.name", "serviceAccountName");
    var uid = claim(claims, PREFIX + "service-account.uid", "serviceAccountUID");
    if (!subject.equals(User.SERVICE_ACCOUNT_PREFIX + namespace + ":" + name)) {
      throw new RefusedCredentials("sub claim is invalid");
    }
    var secret = view.get("/secrets", namespace, secretName);
    if (secret == null || secret.object("metadata").has("deletionTimestamp")) {
      throw RefusedCredentials.byCluster(INVALIDATED);
    }
    if (!holds(secret, token)) {
      throw RefusedCredentials.byCluster("Token does not match server's copy");
    }
    // A server whose clock is ahead may have been asked first.
    var lastUsed = secret.object("metadata", "labels").string(LegacyTokenUse.LAST_USED);
    if (!lastUsed.equals(today.toString()) && !lastUsed.equals(today.plusDays(1).toString())) {
      use.used(secret, today);
    }
    if (!secret.object("metadata", "labels").string(INVALID_SINCE).isEmpty()) {
      throw RefusedCredentials.byCluster(
          ("the token in secret %s/%s for service account %s/%s has been marked invalid. Use tokens"
                  + " from the TokenRequest API or manually created secret-based tokens, or remove"
                  + " the '%s' label from the secret to temporarily allow use of this token")
              .formatted(namespace, secretName, namespace, name, INVALID_SINCE));
    }
    return List.of(
        BoundObject.serviceAccount(namespace, name, uid),
        BoundObject.secret(namespace, secretName, secret.object("metadata").string("uid")));
  }

  private static boolean holds(JsonObject secret, String token) {
    try {
      var stored = Base64.getDecoder().decode(secret.object("data").string("token"));
      return MessageDigest.isEqual(stored, token.getBytes(StandardCharsets.UTF_8));
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  private static String claim(JsonObject claims, String key, String name) {
    var value = claims.string(key);
    if (value.isEmpty()) {
      throw new RefusedCredentials(name + " claim is missing");
    }
    return value;
  }
}
