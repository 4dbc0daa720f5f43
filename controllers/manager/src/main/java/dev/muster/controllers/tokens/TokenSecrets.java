package dev.muster.controllers.tokens;

import dev.muster.controllers.ObjectKey;
import dev.muster.controllers.client.ApiResource;
import dev.muster.controllers.loop.CachedLoop;
import dev.muster.controllers.loop.LoopController;
import dev.muster.controllers.loop.Loops;
import dev.muster.controllers.loop.ObjectCache;
import dev.muster.model.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * Fills Secrets of type {@code kubernetes.io/service-account-token}, and deletes those whose
 * service account does not exist. Works on virtual threads, one Secret on one of them at a time.
 */
public final class TokenSecrets implements LoopController {
  private static final String TYPE = "kubernetes.io/service-account-token";
  private static final String ACCOUNT = "kubernetes.io/service-account.name";
  private static final String UID = "kubernetes.io/service-account.uid";
  private static final Duration LONGEST_PAUSE = Duration.ofMinutes(1);
  private static final int PARALLEL = 5;

  /** Signs a token that is valid while a Secret of that name contains it. */
  @FunctionalInterface
  public interface TokenSource {
    String sign(JsonObject account, String secretName);
  }

  private final TokenSource source;
  private final String authorities;

  /**
   * @param authorities the certificate authorities of API servers, in PEM
   */
  public TokenSecrets(TokenSource source, String authorities) {
    this.source = source;
    this.authorities = authorities;
  }

  @Override
  public String name() {
    return "serviceaccount-token-controller";
  }

  @Override
  public AutoCloseable start(Loops loops) {
    return new Running(loops).loop;
  }

  private static String accountOf(JsonObject secret) {
    return secret.object("metadata", "annotations").string(ACCOUNT);
  }

  private static String uid(JsonObject account) {
    return account.object("metadata").string("uid");
  }

  /** The Secret with all data for that service account; the same instance when it is complete. */
  JsonObject filled(JsonObject secret, JsonObject account) {
    var namespace = secret.object("metadata").string("namespace");
    var data = secret.object("data");
    var wanted = data;
    if (data.string("token").isEmpty()) {
      var token = source.sign(account, secret.object("metadata").string("name"));
      wanted = wanted.with("token", base64(token));
    }
    if (!authorities.isEmpty()) {
      wanted = wanted.with("ca.crt", base64(authorities));
    }
    wanted = wanted.with("namespace", base64(namespace));
    var uid = uid(account);
    boolean known = secret.object("metadata", "annotations").string(UID).equals(uid);
    if (known && wanted.equals(data)) {
      return secret;
    }
    var annotations = secret.object("metadata", "annotations").with(UID, uid);
    return secret.with("data", wanted).withAt(annotations, "metadata", "annotations");
  }

  private static String base64(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }

  private final class Running {
    private final ApiResource secrets;
    private final ApiResource accounts;
    private final CachedLoop<ObjectKey> loop;
    private final ObjectCache cache;

    Running(Loops loops) {
      var requests = loops.requests();
      secrets = new ApiResource(requests, "/api/v1", "secrets");
      accounts = new ApiResource(requests, "/api/v1", "serviceaccounts");
      loop = new CachedLoop<>("serviceaccount_tokens_secret", loops);
      var tokens = secrets.path("") + "?fieldSelector=type%3D" + TYPE.replace("/", "%2F");
      cache = loop.cache(tokens, ObjectCache::whole, this::secretChanged);
      loop.cache(accounts.path(""), Running::keep, this::accountChanged, this::lookAgain);
      loop.start(PARALLEL, LONGEST_PAUSE, this::sync);
    }

    private static JsonObject keep(JsonObject account) {
      return JsonObject.of("metadata", ObjectCache.identity(account));
    }

    /**
     * Checks Secrets that were filled for a service account which was deleted during a watch gap.
     */
    private void lookAgain() {
      cache.all().forEach(secret -> loop.add(ObjectKey.of(secret)));
    }

    private void secretChanged(@Nullable JsonObject old, @Nullable JsonObject now) {
      if (now != null) {
        loop.add(ObjectKey.of(now));
      }
    }

    private void accountChanged(@Nullable JsonObject old, @Nullable JsonObject now) {
      if (old == null || (now != null && uid(now).equals(uid(old)))) {
        return;
      }
      var account = ObjectKey.of(old);
      for (var secret : cache.list(account.namespace())) {
        if (accountOf(secret).equals(account.name())) {
          loop.add(ObjectKey.of(secret));
        }
      }
    }

    /** Reads both live: a cache may be too old to decide about deletion. */
    private boolean sync(ObjectKey key) {
      if (cache.get(key.namespace(), key.name()) == null) {
        return true;
      }
      var secret = secrets.get(key.namespace(), key.name()).orElse(null);
      if (secret == null
          || !secret.string("type").equals(TYPE)
          || secret.object("metadata").has("deletionTimestamp")) {
        return true;
      }
      var account = accounts.get(key.namespace(), accountOf(secret)).orElse(null);
      var uid = secret.object("metadata", "annotations").string(UID);
      if (account == null || (!uid.isEmpty() && !uid.equals(uid(account)))) {
        secrets.delete(secret);
        return true;
      }
      var wanted = filled(secret, account);
      if (wanted != secret) {
        secrets.update(wanted);
      }
      return true;
    }
  }
}
