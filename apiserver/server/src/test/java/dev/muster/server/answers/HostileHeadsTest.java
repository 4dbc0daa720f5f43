package dev.muster.server.answers;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Request lines and headers as long as they may be cost an event loop not much more than any of
 * their length, whoever sends them.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class HostileHeadsTest {
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
  private static final int LENGTH = 900_000;

  /** So many that the code in question has been compiled, however busy the machine is. */
  private static final int ROUNDS = 50;

  /** A walk over each of a hundred thousands of parts costs up to seven times the plain head. */
  private static final int MOST_COST = 10;

  private static final String PODS = "/api/v1/namespaces/default/pods";
  private static final String AUTHORIZATION =
      "authorization: Bearer " + RunningServer.TOKEN + "\r\n";

  private RunningServer server;
  private long plain;

  @BeforeAll
  void start(@TempDir Path directory) throws Exception {
    server = RunningServer.start(directory);
    for (var sender : new String[] {"", AUTHORIZATION}) {
      plain = least(new Head("plain", PODS, "x-padding: " + fill("abcdefgh") + "\r\n"), sender, 0);
    }
  }

  @AfterAll
  void stop() {
    server.close();
  }

  /** A request line and headers. */
  record Head(String name, String target, String headers) {
    @Override
    public String toString() {
      return name;
    }
  }

  private static String fill(String part) {
    return part.repeat(LENGTH / part.length());
  }

  private static String numbered(String format) {
    var text = new StringBuilder();
    for (int i = 0; text.length() < LENGTH; i++) {
      text.append(format.formatted(i));
    }
    return text.toString();
  }

  private static Head header(String name, String value) {
    return new Head(name + " " + value.substring(0, 12), PODS, name + ": " + value + "\r\n");
  }

  private static Head target(String target) {
    return new Head(target.substring(0, 40), target, "");
  }

  static Stream<Head> heads() {
    return Stream.of(
        header("accept", fill("*/*,")),
        header("accept", fill("a/b;c=d,")),
        header("accept", "application/json" + numbered(";k%d=v")),
        header("accept", "application/yaml;q=0.1" + fill(",x/y")),
        header("accept", fill(",,,,,,,,,,,,")),
        header("accept", "application/json;;;;;;;;;;;;" + fill(";")),
        header("accept-encoding", fill("gzip,")),
        header("accept-encoding", fill("gzip;q=0.1,")),
        header("audit-id", fill("0123456789ab")),
        header("user-agent", fill("Mozilla Mozilla ")),
        header("if-none-match", fill("\"abcdefghijkl\",")),
        header("sec-websocket-protocol", fill("base64url.bearer.authorization.k8s.io.eA,")),
        new Head(
            "many protocols",
            PODS + "?watch=true",
            "upgrade: websocket\r\nconnection: upgrade\r\nsec-websocket-protocol: "
                + fill("a.b,")
                + "\r\n"),
        new Head("many headers", PODS, numbered("h%d: v\r\n")),
        new Head("one header often", PODS, numbered("accept: a/b%d\r\n")),
        new Head(
            "impersonation",
            PODS,
            "impersonate-user: x\r\n" + numbered("impersonate-group: g%d\r\n")),
        new Head("impersonation without a user", PODS, numbered("impersonate-group: g%d\r\n")),
        new Head(
            "extra impersonation",
            PODS,
            "impersonate-user: x\r\n" + numbered("impersonate-extra-k%d: v\r\n")),
        header("cookie", fill("a=b; ")),
        header("x-forwarded-for", fill("1.2.3.4, ")),
        header("content-type", "application/json" + fill(";a=b")),
        header("origin", "https://" + fill("a.")),
        target("/" + fill("a/")),
        target("/api/v1/namespaces/" + fill("%41")),
        target("/api/v1/namespaces/" + fill("../")),
        target("/apis/" + fill("a.b/")),
        target("/openapi/v3/" + fill("apis/")),
        target("/healthz?" + fill("exclude=ping&") + "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"),
        target("/readyz?" + numbered("exclude=p%d&")),
        target(PODS + "?" + fill("a&")),
        target(PODS + "?" + fill("a=b&")),
        target(PODS + "?" + fill("&") + "watch=1"),
        target(PODS + "?" + fill("%41")),
        target(PODS + "?" + numbered("k%d=v&")),
        target(PODS + "?labelSelector=" + fill("a,")),
        target(PODS + "?labelSelector=" + fill("a%20in%20(b),")),
        target(PODS + "?labelSelector=a%20in%20(" + numbered("v%d,") + "x)"),
        target(PODS + "?labelSelector=" + fill("(")),
        target(PODS + "?labelSelector=" + fill("!")),
        target(PODS + "?fieldSelector=" + fill("status.phase!=a,")),
        target(PODS + "?fieldSelector=" + fill("%5C%2C")),
        target(PODS + "?fieldSelector=" + numbered("x%d=a,")),
        target(PODS + "?continue=" + fill("eyJ2")),
        target(PODS + "?timeout=" + fill("1h")),
        target(PODS + "?limit=" + fill("9")),
        target(PODS + "?timeoutSeconds=" + fill("1") + "&watch=true"),
        target(PODS + "?resourceVersion=" + fill("1")),
        target(PODS + "?pretty=" + fill("true")),
        target(PODS + "?" + fill("fieldManager=a&")));
  }

  /** CPU of the event loops alone. */
  private static long loopNanos() {
    long sum = 0;
    for (var info : THREADS.getThreadInfo(THREADS.getAllThreadIds())) {
      if (info != null && info.getThreadName().startsWith("muster-http")) {
        sum += Math.max(0, THREADS.getThreadCpuTime(info.getThreadId()));
      }
    }
    return sum;
  }

  private long least(Head head, String sender, long enough) throws Exception {
    long least = Long.MAX_VALUE;
    for (int i = 0; i < ROUNDS && least > enough; i++) {
      try (var client = server.connect()) {
        long before = loopNanos();
        client.send(
            "GET " + head.target() + " HTTP/1.1\r\nhost: x\r\n" + sender + head.headers() + "\r\n");
        assertThat(client.answer().status()).isNotEqualTo(500);
        least = Math.min(least, loopNanos() - before);
      }
    }
    return least;
  }

  @ParameterizedTest
  @MethodSource("heads")
  void costsLittleMoreThanAnyOfItsLength(Head head) throws Exception {
    for (var sender : new String[] {"", AUTHORIZATION}) {
      long most = MOST_COST * plain;
      assertThat(least(head, sender, most)).as("CPU of %s", head).isLessThanOrEqualTo(most);
    }
  }
}
