package dev.muster.server.answers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.server.options.AuditMode;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the log costs a GET at level Metadata: one server answers for two namespaces in turns, of
 * which the policy leaves one out, so that both are measured by the same code on the same machine.
 * The CPU is that of the event loops and of the log's writer.
 */
@EnabledIfSystemProperty(named = "muster.benchmark", matches = "true")
class AuditFiguresTest {
  private static final Logger LOG = LoggerFactory.getLogger(AuditFiguresTest.class);
  private static final int ROUNDS = Integer.getInteger("muster.benchmark.rounds", 60);
  private static final int CONNECTIONS = 16;
  private static final int TOGETHER = 16;
  private static final int BATCHES = 20;
  private static final String POLICY =
      """
      rules:
      - level: None
        namespaces: [not-logged]
      - level: Metadata
      """;

  private record Connection(SSLSocket socket, DataInputStream in) {
    static Connection of(SSLSocket socket) throws IOException {
      return new Connection(
          socket, new DataInputStream(new BufferedInputStream(socket.getInputStream())));
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"BATCH", "BLOCKING"})
  void aGet(AuditMode mode, @TempDir Path directory) throws Exception {
    var file = new AuditFile(directory.resolve("audit.log"));
    try (var server = RunningServer.start(directory, file.logged(POLICY, mode))) {
      var connections = new ArrayList<Connection>();
      for (int i = 0; i < CONNECTIONS; i++) {
        connections.add(Connection.of(server.socket()));
      }
      var none = new long[ROUNDS];
      var logged = new long[ROUNDS];
      for (var namespace : List.of("not-logged", "yes-logged")) {
        server.post("/api/v1/namespaces", "{\"metadata\":{\"name\":\"" + namespace + "\"}}");
        server.post(
            "/api/v1/namespaces/" + namespace + "/configmaps",
            "{\"metadata\":{\"name\":\"m\"},\"data\":{\"k\":\"" + "x".repeat(1000) + "\"}}");
      }
      for (int i = 0; i < ROUNDS; i++) {
        none[i] = round(connections, "not-logged");
        logged[i] = round(connections, "yes-logged");
      }
      long without = median(none);
      long with = median(logged);
      LOG.info(
          "{}: {} ns of CPU for a GET, {} ns when it is logged: {} ns more",
          mode,
          without,
          with,
          with - without);
      assertThat(file.text()).contains("/yes-logged/").doesNotContain("/not-logged/configmaps/m");
      for (var connection : connections) {
        connection.socket().close();
      }
    }
  }

  /** Of the last third, when the JVM has compiled what it compiles. */
  private static long median(long[] rounds) {
    var last = Arrays.copyOfRange(rounds, rounds.length * 2 / 3, rounds.length);
    Arrays.sort(last);
    return last[last.length / 2];
  }

  /** Nanoseconds for each request. */
  private static long round(List<Connection> connections, String namespace) throws IOException {
    var request =
        String.join(
            "\r\n",
            "GET /api/v1/namespaces/" + namespace + "/configmaps/m?resourceVersion=0 HTTP/1.1",
            "host: x",
            RunningServer.authorization(),
            "accept: application/json",
            "",
            "");
    var batch = request.repeat(TOGETHER).getBytes(StandardCharsets.US_ASCII);
    long before = cpu();
    for (int i = 0; i < BATCHES; i++) {
      for (var connection : connections) {
        connection.socket().getOutputStream().write(batch);
      }
      for (var connection : connections) {
        for (int answer = 0; answer < TOGETHER; answer++) {
          read(connection.in());
        }
      }
    }
    return (cpu() - before) / ((long) BATCHES * CONNECTIONS * TOGETHER);
  }

  private static void read(DataInputStream in) throws IOException {
    var head = new StringBuilder();
    while (head.length() < 4 || head.indexOf("\r\n\r\n", head.length() - 4) < 0) {
      head.append((char) in.readUnsignedByte());
    }
    var text = head.toString().toLowerCase(Locale.ROOT);
    assertThat(text).startsWith("http/1.1 200");
    int at = text.indexOf("content-length: ") + "content-length: ".length();
    in.skipNBytes(Integer.parseInt(text.substring(at, text.indexOf('\r', at))));
  }

  private static long cpu() {
    var threads = ManagementFactory.getThreadMXBean();
    long sum = 0;
    for (long id : threads.getAllThreadIds()) {
      var info = threads.getThreadInfo(id);
      if (info != null
          && (info.getThreadName().startsWith("muster-http")
              || info.getThreadName().equals("audit-log"))) {
        sum += threads.getThreadCpuTime(id);
      }
    }
    return sum;
  }
}
