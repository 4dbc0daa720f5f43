package dev.muster.server.answers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.muster.http.RawHttp1;
import dev.muster.model.User;
import dev.muster.model.json.JsonObject;
import dev.muster.server.answers.HostileTokens.Shown;
import dev.muster.testing.OpenIdProvider;
import dev.muster.wire.JsonReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whatever somebody shows, nobody becomes somebody that he is not: a server says who asks, or 401
 * with a Status, and answers the next one. {@code -Dmuster.fuzz.seconds} sets for how long it tries
 * (2), {@code -Dmuster.fuzz.seed} what it tries.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CredentialFuzzTest {
  private static final long SECONDS = Long.getLong("muster.fuzz.seconds", 2);
  private static final long SEED = Long.getLong("muster.fuzz.seed", 36);
  private static final String REVIEWS = "/apis/authentication.k8s.io/v1/selfsubjectreviews";
  private static final String ADMIN = "admin";
  private static final Logger LOG = LoggerFactory.getLogger(CredentialFuzzTest.class);

  private final Random random = new Random(SEED);
  private OpenIdProvider provider;
  private RunningServer server;
  private HostileTokens tokens;
  private @Nullable RawHttp1 connection;

  @BeforeAll
  void start(@TempDir Path folder) throws Exception {
    provider = OpenIdProvider.start(folder);
    tokens = new HostileTokens(provider, random);
    server = RunningServer.start(folder, OpenIdLogin.of(provider, "RS256", "ES256"));
    await()
        .atMost(Duration.ofSeconds(60))
        .until(() -> server.as(tokens.good(), "/version").code() == 200);
  }

  @AfterAll
  void stop() throws IOException {
    disconnect();
    server.close();
    provider.close();
  }

  /**
   * A header.
   *
   * @param owners whom it may make of its sender; nobody in particular is somebody, too
   * @param plain whether it may stand in a request at all
   */
  private record Header(String value, Set<String> owners, boolean plain) {}

  private Header header() {
    return switch (random.nextInt(9)) {
      case 0 -> new Header("Bearer " + RunningServer.TOKEN, Set.of(ADMIN), true);
      case 1 -> new Header(scheme() + " " + noise(), Set.of(User.ANONYMOUS.name()), false);
      case 2 -> new Header("bEARER " + tokens.good() + "  ", Set.of(HostileTokens.JANE), true);
      case 3 -> new Header("Bearer " + noise(), Set.of(User.ANONYMOUS.name()), false);
      case 4 -> new Header("Bearer   " + tokens.good(), Set.of(User.ANONYMOUS.name()), true);
      default -> bearer(tokens.next());
    };
  }

  private static Header bearer(Shown shown) {
    boolean plain = shown.token().chars().allMatch(c -> c > ' ' && c < 0x7f);
    return new Header("Bearer " + shown.token(), shown.owners(), plain);
  }

  private String scheme() {
    var schemes = List.of("Basic", "Negotiate", "Token", "Bearer,", "Bear", "Bearer\t");
    return schemes.get(random.nextInt(schemes.size()));
  }

  private String noise() {
    var bytes = new byte[random.nextInt(60)];
    random.nextBytes(bytes);
    return new String(bytes, StandardCharsets.ISO_8859_1).replaceAll("[\r\n]", "x");
  }

  @Test
  void nobodyBecomesSomebodyElse() throws IOException {
    long end = System.nanoTime() + SECONDS * 1_000_000_000;
    int sent = 0;
    int known = 0;
    while (System.nanoTime() < end || sent < 100) {
      var headers = new ArrayList<Header>();
      for (int more = random.nextInt(5) == 0 ? random.nextInt(1, 4) : 0; more >= 0; more--) {
        headers.add(header());
      }
      sent++;
      known += judged(headers) ? 1 : 0;
      if (sent % 20 == 0) {
        assertThat(judged(List.of(new Header("Bearer " + tokens.good(), Set.of("jane"), true))))
            .as("the server lets the right one in after %s", headers)
            .isTrue();
      }
    }
    LOG.info("{} of {} requests were somebody's", known, sent);
    assertThat(known).isPositive().isLessThan(sent);
    assertThat(server.metric("authentication_attempts{result=\"error\"}")).isPositive();
  }

  /** Whether somebody was found to have sent it. Only the first of several headers counts. */
  private boolean judged(List<Header> headers) throws IOException {
    var first = headers.getFirst();
    var shown = "seed " + SEED + ", headers " + headers;
    var answer = answered(headers);
    var body =
        JsonReader.read(answer.body().getBytes(StandardCharsets.UTF_8)) instanceof JsonObject object
            ? object
            : JsonObject.EMPTY;
    if (answer.status() == 201) {
      assertThat(body.object("status").object("userInfo").string("username"))
          .as(shown)
          .isIn(first.owners());
      return true;
    }
    assertThat(answer.status()).as(shown).isIn(allowed(headers));
    assertThat(body.string("kind")).as(shown).isEqualTo("Status");
    assertThat(body.integer("code", 0)).as(shown).isEqualTo(answer.status());
    return false;
  }

  /** Who shows nothing that counts is anonymous, and anonymous may not review himself. */
  private static List<Integer> allowed(List<Header> headers) {
    boolean plain = headers.stream().allMatch(Header::plain);
    boolean nobody = headers.getFirst().owners().contains(User.ANONYMOUS.name());
    if (plain) {
      return List.of(nobody ? 403 : 401);
    }
    return nobody ? List.of(400, 401, 403) : List.of(400, 401);
  }

  private RawHttp1.Answer answered(List<Header> headers) throws IOException {
    var text = new StringBuilder("POST " + REVIEWS + " HTTP/1.1\r\nHost: x\r\n");
    headers.forEach(header -> text.append("Authorization: ").append(header.value()).append("\r\n"));
    text.append("Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{}");
    var open = connection;
    if (open == null) {
      open = server.connect();
      connection = open;
    }
    var answer = open.send(text.toString()).answer();
    if (answer.status() == 400 || "close".equals(answer.header("connection"))) {
      disconnect();
    }
    return answer;
  }

  private void disconnect() throws IOException {
    var open = connection;
    connection = null;
    if (open != null) {
      open.close();
    }
  }
}
