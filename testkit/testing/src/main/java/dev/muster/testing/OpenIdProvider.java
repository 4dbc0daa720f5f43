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
 * An OpenID provider on a real socket with a real certificate: it publishes a discovery document
 * and its keys, and makes whatever tokens a test wants. Safe for any thread.
 */
public final class OpenIdProvider implements AutoCloseable {
  /** Whom its tokens are for, unless a test says otherwise. */
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

  /** One that answers. */
  public static OpenIdProvider start(Path folder) {
    var provider = absent(folder);
    provider.begin();
    return provider;
  }

  /** One that does not answer yet. */
  public static OpenIdProvider absent(Path folder) {
    return new OpenIdProvider(folder, FreePorts.find(1).getFirst());
  }

  /** From now on, it answers. */
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

  /** From now on, it does not answer. */
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

  /** Where it answers with claims of others. */
  public String claimsUrl() {
    return issuer() + "/claims";
  }

  /** Whoever asks for claims gets that, with 200, whatever it is. */
  public void answerClaims(String text) {
    distributed = text;
    redirect = "";
  }

  /** Whoever asks for claims is sent there. */
  public void redirectClaims(String url) {
    redirect = url;
  }

  /** The {@code Authorization} header of who asked last for claims; "" for none. */
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

  /** It says from now on that it is somebody else. */
  public void claimToBe(String other) {
    discovery = discoveryOf(other);
  }

  /** The file with the certificate of who signed its own. */
  public Path authorityFile() {
    return certificates.authority();
  }

  /** The certificate of who signed its own, in PEM. */
  public String authority() {
    try {
      return Files.readString(certificates.authority());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** How often somebody wanted its keys. */
  public int keyFetches() {
    return keyFetches.get();
  }

  /** The key with which it signs now. */
  public RSAKey key() {
    return rsa;
  }

  /** It signs with a new key from now on, and says so. */
  public void rotate() {
    rsa = rsa();
    published = List.of(rsa);
  }

  /** These are its keys from now on, whatever it signs with. */
  public void publish(List<JWK> keys) {
    published = keys;
  }

  /** What its tokens say unless a test changes it: good for an hour. */
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

  /** A token with these claims instead of the usual ones; "" takes one away. */
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

  /** A token that any key has signed, with any algorithm of its kind. */
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
