package dev.muster.server.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import dev.muster.access.webhook.RenewedKubeconfig;
import dev.muster.server.egress.Egress;
import dev.muster.server.egress.EgressConfiguration;
import dev.muster.server.egress.EgressConnection;
import dev.muster.server.egress.EgressSelector;
import dev.muster.server.egress.EgressType;
import dev.muster.server.http.Header;
import dev.muster.server.proxy.BackendException;
import dev.muster.server.proxy.EgressClient;
import dev.muster.server.proxy.Network;
import dev.muster.testing.ConnectProxy;
import dev.muster.testing.StubServer;
import io.netty.handler.ssl.SslContext;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
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
    kubeconfig(token, receiver, "");
  }

  /**
   * @param serverName that the kubeconfig says its certificate is for
   */
  private void kubeconfig(String token, StubServer server, String serverName) throws IOException {
    write(
        "kubeconfig",
        """
        current-context: c
        contexts: [{name: c, context: {cluster: c, user: u}}]
        clusters:
        - name: c
          cluster:
            server: "https://localhost:%d/events"
            certificate-authority: ca.crt
            tls-server-name: "%s"
        users: [{name: u, user: {token: %s}}]
        """
            .formatted(server.port(), serverName, token));
  }

  private EventPoster poster(EgressClient client, boolean proxied) {
    var posts = posts(client, proxied);
    return new EventPoster(
        new RenewedKubeconfig<>(folder.resolve("kubeconfig"), AuditKubeconfig::read, () -> now),
        config -> PostedEvents.of(posts, config),
        Duration.ofMillis(1),
        RandomGenerator.getDefault());
  }

  @Test
  void filesThatAreReplacedAreReadAgain() throws Exception {
    try (var stranger = new StubServer(exchange -> {})) {
      write("ca.crt", authority(stranger));
    }
    kubeconfig("first");
    try (var client = new EgressClient("audit", Network.SYSTEM, Egress.DIRECT);
        var poster = poster(client, false)) {
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

  private static SeparatePost posts(EgressClient client, boolean proxied) {
    return new SeparatePost() {
      @Override
      public boolean isProxied() {
        return proxied;
      }

      @Override
      public int post(
          URI target,
          List<Header> headers,
          byte[] body,
          SslContext tls,
          String serverName,
          Duration patience)
          throws IOException {
        try {
          return client
              .exchange("POST", target, serverName, headers, body, tls, 1000, patience)
              .status();
        } catch (BackendException e) {
          throw new IOException(e.text(), e);
        }
      }
    };
  }

  private static Egress through(ConnectProxy proxy) {
    var way =
        new EgressConnection.HttpConnect(new EgressConnection.Tcp("127.0.0.1", proxy.port(), null));
    return new EgressSelector(new EgressConfiguration(Map.of(EgressType.CONTROLPLANE, way)))
        .of(EgressType.CONTROLPLANE);
  }

  @Test
  void eventsTakeTheWayThroughAProxy() throws Exception {
    write("ca.crt", authority(receiver));
    kubeconfig("first");
    try (var proxy = ConnectProxy.onTcp(null);
        var client = new EgressClient("audit", Network.SYSTEM, through(proxy));
        var poster = poster(client, true)) {
      poster.post(BODY);
      assertThat(proxy.asked()).hasSize(1);
      assertThat(proxy.asked().getFirst()).contains(":" + receiver.port());
    }
    assertThat(shown).containsExactly("Bearer first");
  }

  /** The URL says where, the certificate is for another name. */
  @Test
  void aServerMayHaveAnotherNameThanItsUrlSays() throws Exception {
    try (var named = new StubServer(this::answer, List.of("audit.example"));
        var proxy = ConnectProxy.onTcp(null);
        var near = new EgressClient("audit", Network.SYSTEM, Egress.DIRECT);
        var far = new EgressClient("audit", Network.SYSTEM, through(proxy))) {
      write("ca.crt", authority(named));
      kubeconfig("named", named, "audit.example");
      try (var direct = poster(near, false);
          var proxied = poster(far, true)) {
        direct.post(BODY);
        proxied.post(BODY);
      }
      kubeconfig("wrong", named, "elsewhere.example");
      try (var direct = poster(near, false);
          var proxied = poster(far, true)) {
        assertThatThrownBy(() -> direct.post(BODY)).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> proxied.post(BODY)).isInstanceOf(IOException.class);
      }
    }
    assertThat(shown).containsExactly("Bearer named", "Bearer named");
  }
}
