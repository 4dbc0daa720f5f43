package dev.muster.server.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import dev.muster.authentication.webhook.RenewedKubeconfig;
import dev.muster.authentication.webhook.WebhookKubeconfig;
import dev.muster.http.HttpHandler;
import dev.muster.http.ServerResponse;
import dev.muster.http.listen.HttpServer;
import dev.muster.http.listen.HttpServerOptions;
import dev.muster.http.tls.TlsMaterial;
import dev.muster.http.tls.TlsOptions;
import dev.muster.pki.Authority;
import dev.muster.pki.CertificateNames;
import dev.muster.pki.Pem;
import dev.muster.server.egress.EgressConfiguration;
import dev.muster.server.egress.EgressConnection;
import dev.muster.server.egress.EgressSelector;
import dev.muster.server.egress.EgressType;
import dev.muster.server.proxy.Network;
import dev.muster.server.webhook.Webhooks;
import dev.muster.testing.ConnectProxy;
import dev.muster.testing.StubServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How events reach the server that a kubeconfig describes, while its files change. */
class EventPosterTest {
  private static final byte[] BODY = "{\"kind\":\"EventList\"}".getBytes(StandardCharsets.UTF_8);

  @TempDir private Path folder;
  private final List<String> shown = new CopyOnWriteArrayList<>();
  private final StubServer receiver = new StubServer(this::answer);
  private Instant now = Instant.now();

  @AfterEach
  void stop() {
    receiver.close();
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      exchange.getRequestBody().readAllBytes();
      shown.add(exchange.getRequestHeaders().getFirst("Authorization"));
      exchange.sendResponseHeaders(200, -1);
    }
  }

  private static String authority(StubServer server) {
    return new String(Base64.getDecoder().decode(server.authority()), StandardCharsets.UTF_8);
  }

  private void write(String name, String text) throws IOException {
    Files.writeString(folder.resolve(name), text);
  }

  private void kubeconfig(String token) throws IOException {
    kubeconfig(token, "https://localhost:" + receiver.port(), "certificate-authority: ca.crt");
  }

  /**
   * @param trust what the kubeconfig says of the server's certificate
   */
  private void kubeconfig(String token, String server, String trust) throws IOException {
    write(
        "kubeconfig",
        """
        current-context: c
        contexts: [{name: c, context: {cluster: c, user: u}}]
        clusters: [{name: c, cluster: {server: "%s/events", %s}}]
        users: [{name: u, user: {token: %s}}]
        """
            .formatted(server, trust, token));
  }

  private EventPoster poster(Webhooks webhooks) {
    return new EventPoster(
        new RenewedKubeconfig<>(
            folder.resolve("kubeconfig"), WebhookKubeconfig::readReceiver, () -> now),
        webhooks,
        Duration.ofMillis(1),
        RandomGenerator.getDefault());
  }

  private static Webhooks webhooks(EgressSelector egress) {
    return new Webhooks(Network.SYSTEM, egress, RandomGenerator.getDefault());
  }

  @Test
  void filesThatAreReplacedAreReadAgain() throws Exception {
    try (var stranger = new StubServer(exchange -> {})) {
      write("ca.crt", authority(stranger));
    }
    kubeconfig("first");
    try (var webhooks = webhooks(EgressSelector.DIRECT)) {
      var poster = poster(webhooks);
      assertThatThrownBy(() -> poster.post(BODY)).isInstanceOf(IOException.class);
      write("ca.crt", authority(receiver));
      now = now.plusSeconds(61);
      poster.post(BODY);
      kubeconfig("second");
      now = now.plusSeconds(61);
      poster.post(BODY);
      write("kubeconfig", "torn: [");
      now = now.plusSeconds(61);
      poster.post(BODY);
    }
    assertThat(shown).containsExactly("Bearer first", "Bearer second", "Bearer second");
  }

  private static EgressSelector through(ConnectProxy proxy) {
    var way =
        new EgressConnection.HttpConnect(new EgressConnection.Tcp("127.0.0.1", proxy.port(), null));
    return new EgressSelector(new EgressConfiguration(Map.of(EgressType.CONTROLPLANE, way)));
  }

  @Test
  void eventsTakeTheWayThroughAProxy() throws Exception {
    write("ca.crt", authority(receiver));
    kubeconfig("first");
    try (var proxy = ConnectProxy.onTcp(null);
        var webhooks = webhooks(through(proxy))) {
      var poster = poster(webhooks);
      poster.post(BODY);
      poster.post(BODY);
      assertThat(proxy.asked()).as("the connection is kept").hasSize(1);
      assertThat(proxy.asked().getFirst()).contains(":" + receiver.port());
    }
    assertThat(shown).containsExactly("Bearer first", "Bearer first");
  }

  /** The URL says where, the certificate is for another name. */
  @Test
  void aServerMayHaveAnotherNameThanItsUrlSays() throws Exception {
    try (var named = new StubServer(this::answer, List.of("audit.example"));
        var proxy = ConnectProxy.onTcp(null);
        var near = webhooks(EgressSelector.DIRECT);
        var far = webhooks(through(proxy))) {
      write("ca.crt", authority(named));
      var server = "https://localhost:" + named.port();
      var trust = "certificate-authority: ca.crt, tls-server-name: ";
      kubeconfig("named", server, trust + "audit.example");
      poster(near).post(BODY);
      poster(far).post(BODY);
      kubeconfig("wrong", server, trust + "elsewhere.example");
      for (var webhooks : List.of(near, far)) {
        var poster = poster(webhooks);
        assertThatThrownBy(() -> poster.post(BODY)).isInstanceOf(IOException.class);
      }
    }
    assertThat(shown).containsExactly("Bearer named", "Bearer named");
  }

  /** As many as are under way at most, each many times as large as a window of HTTP/2. */
  @Test
  void largeBatchesAtTheSameTimeArriveWholeOverOneConnection() throws Exception {
    var authority = Authority.create("receiver-ca", Instant.now(), Duration.ofHours(1));
    var loopback = InetAddress.ofLiteral("127.0.0.1");
    var names = CertificateNames.of(List.of("localhost"), List.of(loopback));
    var identity = authority.server("receiver", names, Instant.now(), Duration.ofHours(1));
    var options =
        HttpServerOptions.of(
            List.of(new InetSocketAddress(loopback, 0)),
            TlsOptions.of(new TlsMaterial(identity.chain(), identity.key())));
    Set<Integer> peers = ConcurrentHashMap.newKeySet();
    var sums = new CopyOnWriteArrayList<Integer>();
    HttpHandler handler =
        exchange -> {
          exchange.identified(true);
          peers.add(exchange.remoteAddress().getPort());
          sums.add(Arrays.hashCode(exchange.body()));
          exchange.respond(ServerResponse.of(200, "application/json", new byte[0]));
        };
    var sent = new ArrayList<Integer>();
    try (var server = HttpServer.start(options, HttpHandler.ofWhole(options.errors(), handler));
        var webhooks = webhooks(EgressSelector.DIRECT);
        var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      write("ca.crt", Pem.of(authority.certificate()));
      var port = server.addresses().getFirst().getPort();
      kubeconfig("many", "https://127.0.0.1:" + port, "certificate-authority: ca.crt");
      var poster = poster(webhooks);
      poster.post(BODY);
      sent.add(Arrays.hashCode(BODY));
      var posts = new ArrayList<Future<?>>();
      for (int i = 0; i < 16; i++) {
        var body = new byte[1 << 20];
        new Random(i).nextBytes(body);
        sent.add(Arrays.hashCode(body));
        posts.add(
            threads.submit(
                () -> {
                  poster.post(body);
                  return null;
                }));
      }
      for (var post : posts) {
        post.get();
      }
    }
    assertThat(sums).containsExactlyInAnyOrderElementsOf(sent);
    assertThat(peers).hasSize(1);
  }

  @Test
  void anyCertificateWillDoWhereTheKubeconfigSaysSoAndNowhereElse() throws Exception {
    var server = "https://127.0.0.1:" + receiver.port();
    try (var webhooks = webhooks(EgressSelector.DIRECT)) {
      kubeconfig("careful", server, "insecure-skip-tls-verify: false");
      var careful = poster(webhooks);
      assertThatThrownBy(() -> careful.post(BODY)).isInstanceOf(IOException.class);
      kubeconfig("trusting", server, "insecure-skip-tls-verify: true");
      poster(webhooks).post(BODY);
    }
    assertThat(shown).containsExactly("Bearer trusting");
  }

  @Test
  void aReceiverWithoutTlsIsTakenWhereverItIs() throws Exception {
    kubeconfig("plain", "http://collector.example:9880", "tls-server-name: ''");
    var client = WebhookKubeconfig.readReceiver(folder.resolve("kubeconfig"));
    assertThat(client.address().isEncrypted()).isFalse();
    assertThat(client.address().authority()).isEqualTo("collector.example:9880");
    assertThat(client.address().path()).isEqualTo("/events");
  }
}
