package dev.muster.testing;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSObject;
import com.nimbusds.jose.JWSSigner;
import com.nimbusds.jose.Payload;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * An OpenID provider with a real socket and certificate. It serves a discovery document and keys,
 * and signs any token that a test needs. Thread-safe.
 */
public final class OpenIdProvider implements AutoCloseable {
  /** The default audience of its tokens. */
  public static final String AUDIENCE = "kubernetes";

  private final TestCertificates certificates;
  private final TestCertificates.Identity identity;
  private final int port;
  private final AtomicInteger keyFetches = new AtomicInteger();
  private volatile RSAKey rsa = rsa();
  private volatile List<JWK> published = List.of(rsa);
  private volatile String discovery;
  private volatile String distributed = "";
  private volatile String redirect = "";
  private volatile String shownToken = "";
  private @Nullable HttpsServer server;

  private OpenIdProvider(Path folder, int port) {
    this.certificates = new TestCertificates(folder);
    this.identity = certificates.issue("provider");
    this.port = port;
    this.discovery = discoveryOf(issuer());
  }

  /** Starts a provider that answers. */
  public static OpenIdProvider start(Path folder) {
    var provider = absent(folder);
    provider.begin();
    return provider;
  }

  /** Creates a provider that does not answer yet. */
  public static OpenIdProvider absent(Path folder) {
    return new OpenIdProvider(folder, FreePorts.find(1).getFirst());
  }

  /** Begins to answer. */
  public synchronized void begin() {
    try {
      var made =
          HttpsServer.create(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), port), 0);
      made.setHttpsConfigurator(new HttpsConfigurator(PemIdentity.serverContext(identity)));
      made.createContext(
          "/.well-known/openid-configuration", exchange -> answer(exchange, discovery));
      made.createContext("/keys", this::keys);
      made.createContext("/claims", this::claims);
      made.start();
      server = made;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Stops to answer. */
  public synchronized void end() {
    if (server != null) {
      server.stop(0);
      server = null;
    }
  }

  private void keys(HttpExchange exchange) throws IOException {
    keyFetches.incrementAndGet();
    answer(exchange, new JWKSet(published).toString(true));
  }

  private void claims(HttpExchange exchange) throws IOException {
    var shown = exchange.getRequestHeaders().getFirst("Authorization");
    shownToken = shown == null ? "" : shown;
    if (redirect.isEmpty()) {
      answer(exchange, distributed);
    } else {
      try (exchange) {
        exchange.getResponseHeaders().set("Location", redirect);
        exchange.sendResponseHeaders(302, -1);
      }
    }
  }

  /** The URL of its distributed claims. */
  public String claimsUrl() {
    return issuer() + "/claims";
  }

  /** Answers requests for claims with this text and code 200. */
  public void answerClaims(String text) {
    distributed = text;
    redirect = "";
  }

  /** Redirects requests for claims. */
  public void redirectClaims(String url) {
    redirect = url;
  }

  /** The {@code Authorization} header of the last request for claims; "" for none. */
  public String shownToken() {
    return shownToken;
  }

  private static void answer(HttpExchange exchange, String text) throws IOException {
    try (exchange) {
      var body = text.getBytes(StandardCharsets.UTF_8);
      exchange.getResponseHeaders().set("Content-Type", "application/json");
      exchange.sendResponseHeaders(200, body.length);
      exchange.getResponseBody().write(body);
    }
  }

  public String issuer() {
    return "https://localhost:" + port;
  }

  private String discoveryOf(String name) {
    return "{\"issuer\":\"" + name + "\",\"jwks_uri\":\"" + issuer() + "/keys\"}";
  }

  /** Publishes another issuer in the discovery document. */
  public void claimToBe(String other) {
    discovery = discoveryOf(other);
  }

  /** The file with the certificate of its TLS authority. */
  public Path authorityFile() {
    return certificates.authority();
  }

  /** The certificate of its TLS authority, in PEM. */
  public String authority() {
    try {
      return Files.readString(certificates.authority());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The number of requests for its keys. */
  public int keyFetches() {
    return keyFetches.get();
  }

  /** The current signing key. */
  public RSAKey key() {
    return rsa;
  }

  /** Replaces the signing key and publishes the new one. */
  public void rotate() {
    rsa = rsa();
    published = List.of(rsa);
  }

  /** Publishes these keys, whatever it signs with. */
  public void publish(List<JWK> keys) {
    published = keys;
  }

  /** The default claims of its tokens, valid for an hour. */
  public Map<String, Object> claims() {
    long now = Instant.now().getEpochSecond();
    var claims = new HashMap<String, Object>();
    claims.put("iss", issuer());
    claims.put("aud", AUDIENCE);
    claims.put("sub", "jane");
    claims.put("iat", now);
    claims.put("exp", now + 3600);
    return claims;
  }

  /** A token with changed claims; "" removes a claim. */
  public String token(Map<String, ?> changes) {
    var claims = claims();
    changes.forEach(
        (name, value) -> {
          if (value.equals("")) {
            claims.remove(name);
          } else {
            claims.put(name, value);
          }
        });
    return sign(rsa, JWSAlgorithm.RS256, claims);
  }

  /** A token that the given key signs with the given algorithm. */
  public static String sign(JWK key, JWSAlgorithm algorithm, Map<String, Object> claims) {
    try {
      var header = new JWSHeader.Builder(algorithm).keyID(key.getKeyID()).build();
      var token = new JWSObject(header, new Payload(claims));
      token.sign(signer(key));
      return token.serialize();
    } catch (JOSEException e) {
      throw new IllegalStateException(e);
    }
  }

  private static JWSSigner signer(JWK key) throws JOSEException {
    return key instanceof ECKey ec ? new ECDSASigner(ec) : new RSASSASigner(key.toRSAKey());
  }

  public static RSAKey rsa() {
    try {
      return new RSAKeyGenerator(2048).keyID(UUID.randomUUID().toString()).generate();
    } catch (JOSEException e) {
      throw new IllegalStateException(e);
    }
  }

  public static ECKey ec(Curve curve) {
    try {
      return new ECKeyGenerator(curve).keyID(UUID.randomUUID().toString()).generate();
    } catch (JOSEException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    end();
  }
}
