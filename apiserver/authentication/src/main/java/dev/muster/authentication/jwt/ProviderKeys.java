package dev.muster.authentication.jwt;

import com.nimbusds.jose.JWSObject;
import dev.muster.authentication.RefusedCredentials;
import dev.muster.authentication.jwt.AuthenticationConfiguration.Issuer;
import dev.muster.model.gocompat.GoText;
import dev.muster.model.json.JsonObject;
import dev.muster.wire.DecodeException;
import dev.muster.wire.JsonReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The keys of one issuer, found by OpenID discovery. Thread-safe. {@link #haveSigned} blocks while
 * it fetches an unknown key, {@link #maintain} blocks during discovery.
 *
 * <ul>
 *   <li>Not discovered: every token is refused.
 *   <li>Discovered: keys are fetched when a token first needs them, and again when a token names an
 *       unknown key, at most every {@value #PAUSE_MILLIS} milliseconds. Concurrent callers share
 *       one fetch.
 * </ul>
 *
 * <p>Fetched keys stay until newer ones replace them, however long the issuer is unreachable.
 */
final class ProviderKeys {
  /**
   * The shortest time between two fetches, so that tokens with invented key IDs cannot cause more.
   */
  static final long PAUSE_MILLIS = 5_000;

  /**
   * The age at which keys are fetched again, so that a key that the issuer has withdrawn stops
   * working.
   */
  static final long OLD_MILLIS = 600_000;

  private static final Logger log = LoggerFactory.getLogger(ProviderKeys.class);
  private static final String WELL_KNOWN = "/.well-known/openid-configuration";
  private static final int LONGEST_SHOWN = 512;

  private final Issuer issuer;
  private final ProviderClient client;
  private final InstantSource clock;
  private final JwtObserver observer;
  private final AtomicBoolean maintained = new AtomicBoolean();
  private volatile String keysUrl = "";
  private volatile KeySet keys = KeySet.EMPTY;
  private volatile String problem;
  private long lastFetch = Long.MIN_VALUE;
  private @Nullable CompletableFuture<KeySet> fetching;

  ProviderKeys(Issuer issuer, ProviderClient client, InstantSource clock, JwtObserver observer) {
    this.issuer = issuer;
    this.client = client;
    this.clock = clock;
    this.observer = observer;
    this.problem =
        "oidc: authenticator for issuer " + GoText.quote(issuer.url()) + " is not initialized";
  }

  /** Whether these are the keys of that issuer. */
  boolean isOf(String url) {
    return issuer.url().equals(url);
  }

  boolean isFound() {
    return !keysUrl.isEmpty();
  }

  /** Why the issuer is not discovered, or "". */
  String problem() {
    return isFound() ? "" : problem;
  }

  /**
   * Discovers the issuer if that is still to be done, and refreshes old keys. Does nothing while
   * another thread does so.
   */
  void maintain() {
    if (!maintained.compareAndSet(false, true)) {
      return;
    }
    try {
      if (!isFound()) {
        discover();
      } else if (isOld()) {
        fetched();
      }
    } catch (RefusedCredentials e) {
      log.warn("the keys of {} are old, and there are no newer ones: {}", issuer.url(), e.why());
    } finally {
      maintained.set(false);
    }
  }

  private synchronized boolean isOld() {
    return keys != KeySet.EMPTY && clock.millis() - lastFetch >= OLD_MILLIS;
  }

  private void discover() {
    try {
      keysUrl = keysUrl(get(discoveryUrl()));
      log.info("found the issuer {}", issuer.url());
    } catch (IOException | IllegalArgumentException e) {
      problem = String.valueOf(e.getMessage());
      log.error("oidc authenticator: initializing plugin: {}", problem);
    }
  }

  private String discoveryUrl() {
    if (!issuer.discoveryUrl().isEmpty()) {
      return issuer.discoveryUrl();
    }
    var url = issuer.url();
    return (url.endsWith("/") ? url.substring(0, url.length() - 1) : url) + WELL_KNOWN;
  }

  private byte[] get(String url) throws IOException {
    var response = client.get(url);
    if (response.status() != 200) {
      throw new IOException(response.status() + ": " + shown(response.body()));
    }
    return response.body();
  }

  private static String shown(byte[] body) {
    var text = new String(body, StandardCharsets.UTF_8);
    return text.length() > LONGEST_SHOWN ? text.substring(0, LONGEST_SHOWN) + "…" : text;
  }

  private String keysUrl(byte[] discovery) {
    JsonObject document;
    try {
      document =
          JsonReader.read(discovery) instanceof JsonObject object ? object : JsonObject.EMPTY;
    } catch (DecodeException e) {
      throw new IllegalArgumentException(
          "oidc: failed to decode provider discovery object: " + e.text(), e);
    }
    var named = document.string("issuer");
    if (!named.equals(issuer.url())) {
      throw new IllegalArgumentException(
          "oidc: issuer did not match the issuer returned by provider, expected %s got %s"
              .formatted(GoText.quote(issuer.url()), GoText.quote(named)));
    }
    var url = document.string("jwks_uri");
    if (url.isEmpty()) {
      throw new IllegalArgumentException("provider did not return JWKS URL");
    }
    return url;
  }

  /**
   * Whether one of the issuer's keys signed the token.
   *
   * @throws RefusedCredentials when the keys are needed and cannot be fetched
   */
  boolean haveSigned(JWSObject token) {
    return keys.hasSigned(token) || fetched().hasSigned(token);
  }

  /** The issuer's current keys; keys fetched a moment ago are reused. */
  private KeySet fetched() {
    CompletableFuture<KeySet> shared;
    boolean mine = false;
    synchronized (this) {
      if (fetching != null) {
        shared = fetching;
      } else if (lastFetch != Long.MIN_VALUE && clock.millis() - lastFetch < PAUSE_MILLIS) {
        return keys;
      } else {
        lastFetch = clock.millis();
        shared = new CompletableFuture<>();
        fetching = shared;
        mine = true;
      }
    }
    if (mine) {
      fetch(shared);
    }
    try {
      return shared.join();
    } catch (CompletionException e) {
      var cause = e.getCause();
      throw new RefusedCredentials(
          "failed to verify signature: fetching keys oidc: get keys failed "
              + (cause == null ? e : cause).getMessage());
    }
  }

  private void fetch(CompletableFuture<KeySet> shared) {
    try {
      var body = get(keysUrl);
      var found = KeySet.parse(body);
      keys = found;
      observer.fetchedKeys(issuer.url(), body);
      ended();
      shared.complete(found);
    } catch (IOException | RuntimeException e) {
      observer.failedToFetchKeys(issuer.url());
      ended();
      shared.completeExceptionally(e);
    }
  }

  private synchronized void ended() {
    fetching = null;
  }
}
