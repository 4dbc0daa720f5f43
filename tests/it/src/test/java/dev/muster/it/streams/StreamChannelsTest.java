package dev.muster.it.streams;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.muster.pki.Pem;
import dev.muster.testing.NeedsProgram;
import dev.muster.testing.TestTls;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The channels of a command over a WebSocket, with a client that says whatever it likes. */
@Tag("slow")
@Timeout(120)
@NeedsProgram("kubectl")
class StreamChannelsTest {
  private static final String EXEC = "/api/v1/namespaces/default/pods/p/exec?container=";
  private static final byte CLOSED = (byte) 255;
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  @TempDir private static Path folder;
  private static KubeletCluster cluster;
  private static HttpClient http;

  @BeforeAll
  static void start() throws Exception {
    cluster = KubeletCluster.start(folder);
    var tls = TestTls.trusting(Pem.certificates(Pem.read(cluster.authority())));
    http = HttpClient.newBuilder().sslContext(tls).build();
  }

  @AfterAll
  static void stop() {
    http.shutdownNow();
    cluster.close();
  }

  /** Everything that the server says, and how it ends. */
  private static final class Client implements WebSocket.Listener, AutoCloseable {
    final List<byte[]> messages = new CopyOnWriteArrayList<>();
    final CompletableFuture<String> over = new CompletableFuture<>();
    private final WebSocket socket;

    Client(String path) throws Exception {
      socket =
          http.newWebSocketBuilder()
              .subprotocols("v5.channel.k8s.io")
              .header("Authorization", "Bearer of-the-test")
              .buildAsync(cluster.webSocket(path), this)
              .get(20, TimeUnit.SECONDS);
    }

    @Override
    public @Nullable CompletionStage<?> onBinary(WebSocket from, ByteBuffer data, boolean last) {
      var bytes = new byte[data.remaining()];
      data.get(bytes);
      messages.add(bytes);
      from.request(1);
      return null;
    }

    @Override
    public @Nullable CompletionStage<?> onClose(WebSocket from, int code, String reason) {
      over.complete("closed");
      return null;
    }

    @Override
    public void onError(WebSocket from, Throwable why) {
      over.complete("cut off");
    }

    void send(int channel, String text) {
      var bytes = text.getBytes(StandardCharsets.UTF_8);
      send(ByteBuffer.allocate(bytes.length + 1).put((byte) channel).put(bytes).flip());
    }

    void send(ByteBuffer message) {
      socket.sendBinary(message, true).join();
    }

    /** What was said on a channel so far. */
    String heard(int channel) {
      var text = new StringBuilder();
      for (var message : messages) {
        if (message.length > 0 && message[0] == channel) {
          text.append(new String(message, 1, message.length - 1, StandardCharsets.UTF_8));
        }
      }
      return text.toString();
    }

    String end() throws Exception {
      return over.get(20, TimeUnit.SECONDS);
    }

    @Override
    public void close() {
      socket.abort();
    }
  }

  private static String exec(String container, String command, String streams) {
    return EXEC + container + "&command=" + command + streams;
  }

  private static void awaitNobody() {
    await().atMost(PATIENCE).until(() -> cluster.kubelet().connections() == 0);
  }

  @Test
  void aTerminalHearsOfItsSize() throws Exception {
    try (var client = new Client(exec("c", "size", "&stdin=true&stdout=true&tty=true"))) {
      client.send(4, "{\"Width\":80,\"Height\":24}");
      assertThat(client.end()).isEqualTo("closed");
      assertThat(client.heard(1)).isEqualTo("{\"Width\":80,\"Height\":24}");
      assertThat(client.heard(3)).contains("\"status\":\"Success\"");
    }
  }

  @Test
  void theEndOfTheInputIsNotTheEndOfTheOutput() throws Exception {
    try (var client = new Client(exec("c", "cat", "&stdin=true&stdout=true"))) {
      client.send(0, "hello");
      await().atMost(PATIENCE).until(() -> client.heard(1).equals("hello"));
      client.send(ByteBuffer.wrap(new byte[] {CLOSED, 0}));
      assertThat(client.end()).isEqualTo("closed");
      assertThat(client.heard(3)).contains("\"status\":\"Success\"");
    }
  }

  @Test
  void whatSaysNothingChangesNothing() throws Exception {
    try (var client = new Client(exec("c", "cat", "&stdin=true&stdout=true"))) {
      client.send(ByteBuffer.allocate(0));
      client.send(ByteBuffer.wrap(new byte[] {0}));
      client.send(99, "a channel that nobody has");
      client.send(1, "a channel that is not for clients");
      client.send(ByteBuffer.wrap(new byte[] {CLOSED}));
      client.send(ByteBuffer.wrap(new byte[] {CLOSED, 77}));
      client.send(0, "still there");
      await().atMost(PATIENCE).until(() -> client.heard(1).equals("still there"));
    }
    awaitNobody();
  }

  @Test
  void tooLongAMessageEndsTheCommandOnBothSides() throws Exception {
    try (var client = new Client(exec("c", "cat", "&stdin=true&stdout=true"))) {
      client.socket.sendBinary(ByteBuffer.allocate(3 << 20), true);
      client.end();
      awaitNobody();
    }
  }

  @Test
  void aKubeletThatSpeaksSomethingElseEndsTheCommand() throws Exception {
    try (var client = new Client(exec("garbled", "wait", "&stdout=true"))) {
      client.end();
      awaitNobody();
    }
  }

  @Test
  void aRedirectOfTheKubeletIsARefusal() throws Exception {
    try (var client = new Client(exec("elsewhere", "wait", "&stdout=true"))) {
      assertThat(client.end()).isEqualTo("closed");
      assertThat(client.heard(3)).contains("unable to upgrade connection");
      awaitNobody();
    }
  }

  @Test
  void aClientThatVanishesTakesItsCommandAlong() throws Exception {
    try (var client = new Client(exec("c", "wait", "&stdout=true"))) {
      await().atMost(PATIENCE).until(() -> cluster.kubelet().connections() == 1);
      client.socket.abort();
      awaitNobody();
    }
  }

  @Test
  void aKubeletThatVanishesIsToldToItsClient() throws Exception {
    try (var client = new Client(exec("c", "wait", "&stdout=true"))) {
      await().atMost(PATIENCE).until(() -> cluster.kubelet().connections() == 1);
      cluster.kubelet().hangUp();
      assertThat(client.end()).isEqualTo("closed");
      assertThat(client.heard(3)).contains("Failure");
    }
  }
}
