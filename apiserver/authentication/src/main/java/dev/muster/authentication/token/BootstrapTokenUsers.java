package dev.muster.authentication.token;

import dev.muster.authentication.Audiences;
import dev.muster.authentication.BearerToken;
import dev.muster.authentication.RefusedCredentials;
import dev.muster.authentication.TokenAuthenticator;
import dev.muster.model.Timestamps;
import dev.muster.model.User;
import dev.muster.model.json.Json;
import dev.muster.model.json.JsonObject;
import dev.muster.types.ClusterView;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.InstantSource;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Authenticates bootstrap tokens. Each one is a secret {@code kube-system/bootstrap-token-<id>},
 * whose content decides whether the token is valid. Thread-safe. Never blocks and caches nothing.
 */
public final class BootstrapTokenUsers implements TokenAuthenticator {
  private static final Logger log = LoggerFactory.getLogger(BootstrapTokenUsers.class);

  /** A token ID of 6 characters and a token secret of 16. */
  private static final Pattern TOKEN = Pattern.compile("([a-z0-9]{6})\\.([a-z0-9]{16})");

  private static final int LENGTH = 23;
  private static final String TYPE = "bootstrap.kubernetes.io/token";
  private static final String GROUP = "system:bootstrappers";
  private static final Pattern EXTRA_GROUP =
      Pattern.compile("system:bootstrappers:[a-z0-9:-]{0,255}[a-z0-9]");

  private final Audiences audiences;
  private final Supplier<? extends ClusterView> views;
  private final InstantSource clock;

  /**
   * @param audiences this server's audiences, which every token has
   */
  public BootstrapTokenUsers(
      Audiences audiences, Supplier<? extends ClusterView> views, InstantSource clock) {
    this.audiences = audiences;
    this.views = views;
    this.clock = clock;
  }

  @Override
  public @Nullable TokenUser authenticate(BearerToken bearerToken, List<String> wanted) {
    if (bearerToken.token().length() != LENGTH) {
      return null;
    }
    var token = TOKEN.matcher(bearerToken.token());
    if (!token.matches()) {
      return null;
    }
    var id = token.group(1);
    var secret = views.get().get("/secrets", "kube-system", "bootstrap-token-" + id);
    var problem = secret == null ? "does not exist" : problem(secret, id, token.group(2));
    var groups = secret == null ? List.<String>of() : groups(text(secret, "auth-extra-groups"));
    if (!problem.isEmpty() || groups.isEmpty()) {
      log.debug(
          "the secret of the bootstrap token {} {}",
          id,
          problem.isEmpty() ? "has invalid groups" : problem);
      // The client learns no more than that. A newer snapshot may contain the secret.
      throw RefusedCredentials.byCluster("invalid bearer token");
    }
    var user = new User("system:bootstrap:" + id, "", groups, Map.of()).authenticated();
    return audiences.limit(user, wanted);
  }

  /** Why the token is invalid, or "". */
  private String problem(JsonObject secret, String id, String word) {
    if (secret.object("metadata").has("deletionTimestamp")) {
      return "is deleted and awaits removal";
    }
    if (!secret.string("type").equals(TYPE)) {
      return "has another type than " + TYPE;
    }
    // Compared in constant time, because the secret part could otherwise be guessed byte by byte.
    if (!MessageDigest.isEqual(bytes(text(secret, "token-secret")), bytes(word))) {
      return "has another token-secret";
    }
    if (!text(secret, "token-id").equals(id)) {
      return "has another token-id";
    }
    var expiration = text(secret, "expiration");
    if (!expiration.isEmpty()) {
      var end = Timestamps.read(Json.of(expiration));
      if (end == null || clock.instant().isAfter(end)) {
        return "has expired, or says in no known way when it does";
      }
    }
    return text(secret, "usage-bootstrap-authentication").equals("true")
        ? ""
        : "is not marked usage-bootstrap-authentication=true";
  }

  /** All groups, sorted and without duplicates; empty when one of them is not allowed. */
  private static List<String> groups(String extra) {
    var groups = new TreeSet<String>(List.of(GROUP));
    if (!extra.isEmpty()) {
      for (var group : extra.split(",", -1)) {
        if (!EXTRA_GROUP.matcher(group).matches()) {
          return List.of();
        }
        groups.add(group);
      }
    }
    return List.copyOf(groups);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static String text(JsonObject secret, String key) {
    try {
      var value = Base64.getDecoder().decode(secret.object("data").string(key));
      return new String(value, StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      return "";
    }
  }
}
