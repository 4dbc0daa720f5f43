package dev.muster.server.answers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.muster.model.json.Json;
import dev.muster.testing.OpenIdProvider;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whatever stands where a token should: the answer is 401, never a fault of the server. */
class StrangeTokensTest {
  private static final String NORMAL = "abcdefXYZ0189-_.~+/=";
  private static final int TRIES = 150;

  @TempDir private static Path folder;
  private static OpenIdProvider provider;
  private static RunningServer server;
  private static String good;

  @BeforeAll
  static void start() throws IOException, GeneralSecurityException {
    provider = OpenIdProvider.start(folder);
    server = RunningServer.start(folder, OpenIdLogin.of(provider, "RS256"));
    good = provider.token(Map.of());
    await().atMost(Duration.ofSeconds(60)).until(() -> server.as(good, "/version").code() == 200);
  }

  @AfterAll
  static void stop() {
    server.close();
    provider.close();
  }

  private static void assertRefused(String token) {
    assertThat(server.as(token, "/version").code()).as(token).isEqualTo(401);
    var status =
        server.post(
            "/apis/authentication.k8s.io/v1/tokenreviews",
            "{\"spec\":{\"token\":" + Json.of(token) + "}}");
    assertThat(status.code()).as(token).isEqualTo(201);
    assertThat(status.object().object("status").isTrue("authenticated")).as(token).isFalse();
  }

  private static String base64(String text) {
    return Base64.getUrlEncoder()
        .withoutPadding()
        .encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }

  private static String noise(Random random, int length) {
    var text = new StringBuilder();
    for (int i = 0; i < length; i++) {
      text.append(NORMAL.charAt(random.nextInt(NORMAL.length())));
    }
    return text.toString();
  }

  @Test
  void noiseIsNobody() {
    var random = new Random(20261116);
    for (int i = 0; i < TRIES; i++) {
      assertRefused("x" + noise(random, random.nextInt(200)));
    }
  }

  @Test
  void aTokenOfWhichOneCharacterIsAnotherIsNobody() {
    var random = new Random(17);
    for (int i = 0; i < TRIES; i++) {
      var changed = new StringBuilder(good);
      int at = random.nextInt(good.length());
      char other = NORMAL.charAt(random.nextInt(NORMAL.length()));
      // The last character of a part has bits that mean nothing.
      boolean last = at == good.length() - 1 || good.charAt(at + 1) == '.';
      if (other != good.charAt(at) && !last && good.charAt(at) != '.') {
        changed.setCharAt(at, other);
        assertRefused(changed.toString());
      }
    }
  }

  @Test
  void partsThatAreOddAreNobody() {
    var random = new Random(4711);
    var issuer = "\"iss\":\"" + provider.issuer() + "\",\"aud\":\"kubernetes\"";
    var time = ",\"exp\":99999999999";
    var headers =
        List.of(
            "{}",
            "[]",
            "null",
            "{\"alg\":\"none\"}",
            "{\"alg\":\"HS256\"}",
            "{\"alg\":7}",
            "{\"alg\":\"RS256\",\"crit\":[\"exp\"]}",
            "{\"alg\":\"RS256\",\"b64\":false,\"crit\":[\"b64\"]}",
            "{\"alg\":\"RS256\",\"jku\":\"https://127.0.0.1:1/\"}",
            "{\"alg\":\"RS256\",\"kid\":" + "[".repeat(3000) + "}",
            "{\"alg\":\"dir\",\"enc\":\"A128GCM\"}");
    var claims =
        List.of(
            "{" + issuer + time + "}",
            "{" + issuer + ",\"exp\":1e400}",
            "{" + issuer + ",\"exp\":-1}",
            "{" + issuer + time + ",\"nbf\":\"x\"}",
            "{" + issuer + time + ",\"sub\":{}}",
            "{\"iss\":7}",
            "{\"iss\":\"accounts.google.com\"}",
            "[".repeat(5000),
            "{"
                + issuer
                + time
                + ",\"deep\":"
                + "{\"a\":".repeat(900)
                + "1"
                + "}".repeat(900)
                + "}",
            "\"text\"");
    for (var header : headers) {
      for (var claim : claims) {
        assertRefused(base64(header) + "." + base64(claim) + "." + base64(noise(random, 256)));
        assertRefused(base64(header) + "." + base64(claim) + ".");
      }
    }
  }

  /** Work on a token ends before it is done when the token is longer than any that is good. */
  @Test
  void aHugeTokenIsNobody() {
    var random = new Random(99);
    var huge = base64("{\"alg\":\"RS256\"}") + "." + base64(noise(random, 400_000)) + ".x";
    var status =
        server.post(
            "/apis/authentication.k8s.io/v1/tokenreviews",
            "{\"spec\":{\"token\":\"" + huge + "\"}}");
    assertThat(status.code()).isEqualTo(201);
    assertThat(status.object().object("status").string("error")).isEqualTo("invalid bearer token");
    assertThat(server.as("a.b." + noise(random, 5_000), "/version").code()).isEqualTo(401);
  }

  @Test
  void headersThatHoldNoTokenAreNoCredentialsOrWrongOnes() throws IOException {
    var random = new Random(3);
    var schemes = List.of("Bearer", "bearer", "BEARER", "Basic", "Negotiate", "", "Bearer,Bearer");
    for (int i = 0; i < 100; i++) {
      var scheme = schemes.get(random.nextInt(schemes.size()));
      var header = scheme + " ".repeat(random.nextInt(3)) + noise(random, random.nextInt(40));
      try (var connection = server.connect()) {
        connection.send(
            "GET /api/v1/secrets HTTP/1.1\r\nHost: x\r\nAuthorization: "
                + header
                + "\r\nConnection: close\r\n\r\n");
        assertThat(connection.answer().status()).as(header).isIn(401, 403);
      }
    }
  }
}
