package dev.muster.authentication.token;

import dev.muster.authentication.BearerToken;
import dev.muster.authentication.RefusedCredentials;
import dev.muster.authentication.TokenAuthenticator;
import dev.muster.authentication.TokenCache;
import dev.muster.authentication.TokenHash;
import dev.muster.model.User;
import dev.muster.model.gocompat.GoText;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonObject;
import dev.muster.types.ClusterView;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Authenticates service account tokens. Thread-safe. A signature is verified once and cached. Every
 * request checks the expiry and the bound objects, so a revoked token stops working at the revision
 * that revokes it.
 */
public final class ServiceAccountTokens implements TokenAuthenticator {
  private static final int MOST_REMEMBERED = 32_768;

  private final Supplier<TokenKeys> keys;
  private final List<String> issuers;
  private final List<String> audiences;
  private final Supplier<? extends ClusterView> views;
  private final InstantSource clock;
  private final LegacyTokenUse legacyUse;
  private final TokenUseObserver uses;
  private final TokenCache<TokenHash, Known> cache = new TokenCache<>(MOST_REMEMBERED);

  /**
   * @param keys the current keys; after a change, every token is verified anew
   * @param issuers the first one signs; tokens of all of them are accepted
   * @param audiences this server's audiences
   * @param legacyUse receives uses of tokens that secrets hold
   * @param uses receives every use
   */
  public ServiceAccountTokens(
      Supplier<TokenKeys> keys,
      List<String> issuers,
      List<String> audiences,
      Supplier<? extends ClusterView> views,
      InstantSource clock,
      LegacyTokenUse legacyUse,
      TokenUseObserver uses) {
    this.uses = uses;
    this.keys = keys;
    this.legacyUse = legacyUse;
    this.issuers = List.copyOf(issuers);
    this.audiences = List.copyOf(audiences);
    this.views = views;
    this.clock = clock;
  }

  public List<String> audiences() {
    return audiences;
  }

  public String issuer() {
    return issuers.getFirst();
  }

  public TokenKeys keys() {
    return keys.get();
  }

  /** A verified token with the values that each use checks again. */
  private static final class Known {
    final User user;
    final List<String> audiences;
    final TokenUser answer;
    final List<BoundObject> objects;
    final boolean legacy;
    final long expiry;

    /** In seconds. */
    final long warnAfter;

    final TokenKeys keys;
    final long day;
    volatile Checked checked;

    Known(
        User user,
        List<String> audiences,
        TokenUser answer,
        List<BoundObject> objects,
        boolean legacy,
        long expiry,
        long warnAfter,
        TokenKeys keys,
        long day,
        Checked checked) {
      this.user = user;
      this.audiences = audiences;
      this.answer = answer;
      this.objects = objects;
      this.legacy = legacy;
      this.expiry = expiry;
      this.warnAfter = warnAfter;
      this.keys = keys;
      this.day = day;
      this.checked = checked;
    }
  }

  /**
   * The last check of the bound objects.
   *
   * @param revisions of the bound objects, in order
   * @param until when they must be checked again even if nothing changed
   */
  private record Checked(long[] revisions, long until) {}

  @Override
  public @Nullable TokenUser authenticate(BearerToken bearerToken, List<String> wanted) {
    var token = bearerToken.token();
    if (token.indexOf('.') < 0) {
      return null;
    }
    var hash = bearerToken.hash();
    var known = cache.get(hash);
    if (known != null && isOutdated(known)) {
      known = null;
    }
    boolean isNew = known == null;
    if (known == null) {
      known = verified(token);
      if (known == null) {
        return null;
      }
    }
    try {
      check(known, wanted);
    } catch (RefusedCredentials e) {
      // A verified signature stays valid whatever the cluster's state; the content of a secret does
      // not.
      if (known.legacy || !e.restsOnCluster()) {
        cache.remove(hash);
      } else if (isNew) {
        cache.put(hash, known);
      }
      throw e;
    }
    if (isNew) {
      cache.put(hash, known);
    }
    var found =
        wanted.isEmpty()
            ? known.answer
            : new TokenUser(known.user, good(known, wanted), known.answer.annotations());
    boolean stale = clock.millis() / 1000 > known.warnAfter;
    if (known.legacy) {
      uses.legacy(LegacyTokens.isGenerated(known.answer.annotations()));
    } else if (known.warnAfter != Long.MAX_VALUE) {
      uses.projected(stale);
    }
    return stale ? stale(known, found) : found;
  }

  private @Nullable Known verified(String token) {
    try {
      return verify(token);
    } catch (RefusedCredentials e) {
      if (LegacyTokens.isInvalidated(e.annotations())) {
        uses.invalidated();
      }
      throw e;
    }
  }

  /** Marks a token with an extended lifetime that should already have been renewed. */
  private TokenUser stale(Known known, TokenUser found) {
    long late = clock.millis() / 1000 - known.warnAfter;
    return new TokenUser(
        found.user(),
        found.audiences(),
        Map.of(
            "authentication.k8s.io/stale-token",
            "subject: %s, seconds after warning threshold: %d".formatted(known.user.name(), late)));
  }

  /**
   * Whether a token from a secret must be checked again as if it were new, which happens once a
   * day.
   */
  private boolean isOutdated(Known known) {
    return known.keys != keys.get()
        || (known.legacy
            && (known.day != today().toEpochDay()
                || !same(known.objects, known.checked.revisions(), views.get())));
  }

  private LocalDate today() {
    return LocalDate.ofInstant(clock.instant(), ZoneOffset.UTC);
  }

  private static List<String> good(Known known, List<String> wanted) {
    return known.audiences.stream().filter(wanted::contains).toList();
  }

  private void check(Known known, List<String> wanted) {
    if (wanted.isEmpty() ? known.answer.audiences().isEmpty() : good(known, wanted).isEmpty()) {
      throw new RefusedCredentials(
          "token audiences "
              + quoted(known.audiences)
              + " is invalid for the target audiences "
              + quoted(wanted.isEmpty() ? audiences : wanted));
    }
    long now = clock.millis();
    if (now > known.expiry) {
      throw new RefusedCredentials("service account token has expired");
    }
    var view = views.get();
    var last = known.checked;
    if (now > last.until() || !same(known.objects, last.revisions(), view)) {
      known.checked = check(known.objects, view, Instant.ofEpochMilli(now));
    }
  }

  private static boolean same(List<BoundObject> objects, long[] revisions, ClusterView view) {
    for (int i = 0; i < revisions.length; i++) {
      long revision = objects.get(i).revision(view);
      if (revision == 0 || revision != revisions[i]) {
        return false;
      }
    }
    return true;
  }

  private static Checked check(List<BoundObject> objects, ClusterView view, Instant now) {
    var revisions = new long[objects.size()];
    var until = Instant.MAX;
    for (int i = 0; i < revisions.length; i++) {
      var end = objects.get(i).check(view, now);
      until = end.isBefore(until) ? end : until;
      revisions[i] = objects.get(i).revision(view);
    }
    return new Checked(
        revisions, until.equals(Instant.MAX) ? Long.MAX_VALUE : until.toEpochMilli());
  }

  /** Decodes and verifies a token; null when this server's issuers did not sign it. */
  private @Nullable Known verify(String token) {
    var jwt = Jwt.parse(token);
    if (jwt == null) {
      return null;
    }
    boolean legacy = jwt.issuer().equals(LegacyTokens.ISSUER);
    if (!legacy && !issuers.contains(jwt.issuer())) {
      return null;
    }
    var verifying = keys.get();
    var candidates = verifying.candidates(jwt.header().string("kid"));
    if (candidates.isEmpty()) {
      throw new RefusedCredentials("invalid signature, no keys found");
    }
    if (candidates.stream().noneMatch(jwt::isSignedBy)) {
      throw new RefusedCredentials("go-jose/go-jose: error in cryptographic primitive");
    }
    return legacy ? legacy(token, jwt.claims(), verifying) : bound(jwt.claims(), verifying);
  }

  private Known legacy(String token, JsonObject claims, TokenKeys verifying) {
    var bound = LegacyTokens.check(token, claims, views.get(), today(), legacyUse);
    var account = bound.getFirst();
    var user = user(account.namespace(), account.name(), account.uid(), Map.of());
    var annotations = LegacyTokens.annotations(bound, views.get());
    return known(user, audiences, bound, annotations, Long.MAX_VALUE, Long.MAX_VALUE, verifying);
  }

  private Known bound(JsonObject claims, TokenKeys verifying) {
    var now = clock.instant();
    long leeway = BoundObject.LEEWAY.toMillis();
    if (claims.has("nbf") && now.toEpochMilli() + leeway < seconds(claims, "nbf") * 1000) {
      throw new RefusedCredentials("service account token is not valid yet");
    }
    if (claims.has("iat") && now.toEpochMilli() + leeway < seconds(claims, "iat") * 1000) {
      throw new RefusedCredentials("service account token is issued in the future");
    }
    long expiry = claims.has("exp") ? seconds(claims, "exp") * 1000 + leeway : Long.MAX_VALUE;
    var kubernetes = claims.object("kubernetes.io");
    var namespace = kubernetes.string("namespace");
    var account = kubernetes.object("serviceaccount");
    var objects = new ArrayList<BoundObject>();
    objects.add(
        BoundObject.serviceAccount(namespace, account.string("name"), account.string("uid")));
    var secret = kubernetes.object("secret");
    if (!secret.isEmpty()) {
      objects.add(BoundObject.secret(namespace, secret.string("name"), secret.string("uid")));
    }
    var pod = kubernetes.object("pod");
    if (!pod.isEmpty()) {
      objects.add(BoundObject.pod(namespace, pod.string("name"), pod.string("uid")));
    }
    var node = kubernetes.object("node");
    if (!node.isEmpty() && pod.isEmpty()) {
      objects.add(BoundObject.node(node.string("name"), node.string("uid")));
    }
    var user =
        user(
            namespace,
            account.string("name"),
            account.string("uid"),
            extra(pod, node, claims.string("jti")));
    long warnAfter = seconds(kubernetes, "warnafter");
    return known(
        user,
        audiencesOf(claims),
        objects,
        Map.of(),
        expiry,
        warnAfter == 0 ? Long.MAX_VALUE : warnAfter,
        verifying);
  }

  private static long seconds(JsonObject claims, String name) {
    return claims.integer(name, 0);
  }

  private List<String> audiencesOf(JsonObject claims) {
    var named =
        claims.get("aud") instanceof JsonArray array
            ? array.strings()
            : claims.string("aud").isEmpty() ? List.<String>of() : List.of(claims.string("aud"));
    return named.isEmpty() ? audiences : named;
  }

  private Known known(
      User user,
      List<String> tokenAudiences,
      List<BoundObject> objects,
      Map<String, String> annotations,
      long expiry,
      long warnAfter,
      TokenKeys verifying) {
    var own = tokenAudiences.stream().filter(audiences::contains).toList();
    return new Known(
        user,
        tokenAudiences,
        new TokenUser(user, own, annotations),
        List.copyOf(objects),
        !annotations.isEmpty(),
        expiry,
        warnAfter,
        verifying,
        today().toEpochDay(),
        new Checked(new long[0], Long.MIN_VALUE));
  }

  private static Map<String, List<String>> extra(JsonObject pod, JsonObject node, String jti) {
    var extra = new LinkedHashMap<String, List<String>>();
    if (!jti.isEmpty()) {
      extra.put("authentication.kubernetes.io/credential-id", List.of("JTI=" + jti));
    }
    if (!pod.isEmpty()) {
      extra.put("authentication.kubernetes.io/pod-name", List.of(pod.string("name")));
      extra.put("authentication.kubernetes.io/pod-uid", List.of(pod.string("uid")));
    }
    if (!node.isEmpty()) {
      extra.put("authentication.kubernetes.io/node-name", List.of(node.string("name")));
      if (!node.string("uid").isEmpty()) {
        extra.put("authentication.kubernetes.io/node-uid", List.of(node.string("uid")));
      }
    }
    return extra;
  }

  private static User user(
      String namespace, String name, String uid, Map<String, List<String>> extra) {
    return new User(
            User.SERVICE_ACCOUNT_PREFIX + namespace + ":" + name,
            uid,
            List.of("system:serviceaccounts", "system:serviceaccounts:" + namespace),
            extra)
        .authenticated();
  }

  private static String quoted(List<String> texts) {
    return "[" + String.join(" ", texts.stream().map(GoText::quote).toList()) + "]";
  }
}
