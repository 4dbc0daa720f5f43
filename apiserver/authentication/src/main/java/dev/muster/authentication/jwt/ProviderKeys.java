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
 * The keys of one issuer, found by discovery. Safe for any thread; {@link #haveSigned} blocks while
 * a key is fetched that nobody has seen before, {@link #maintain} while the issuer is looked for.
 *
 * <p>States: not found (every token is refused) → found (keys are fetched when a token needs them,
 * and again when one names a key that is not there, at the most every {@value #PAUSE_MILLIS}
 * milliseconds; all that wait share one fetch). Keys that were fetched stay until others replace
 * them, however long the issuer is away.
 */
final class ProviderKeys {
  /** Whoever sends tokens with invented keys makes us ask no more often than this. */
  static final long PAUSE_MILLIS = 5_000;

  /** A key that the issuer has withdrawn is believed for no longer, if the issuer can be asked. */
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

  /** Whether they are that issuer's. */
  boolean isOf(String url) {
    return issuer.url().equals(url);
  }

  boolean isFound() {
    return !keysUrl.isEmpty();
  }

  /** Why the issuer is not found, or "". */
  String problem() {
    return isFound() ? "" : problem;
  }

  /**
   * Looks for the issuer while it is not found, and for its keys when they are old. Does nothing
   * while another thread is at it.
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
   * Whether one of the issuer's keys has signed this.
   *
   * @throws RefusedCredentials when its keys are needed and cannot be had
   */
  boolean haveSigned(JWSObject token) {
    return keys.hasSigned(token) || fetched().hasSigned(token);
  }

  /** The issuer's keys of now, or of a moment ago if they were fetched then. */
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
