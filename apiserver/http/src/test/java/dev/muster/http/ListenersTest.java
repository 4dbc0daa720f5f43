package dev.muster.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.http.listen.HttpServer;
import dev.muster.http.listen.HttpServerOptions;
import dev.muster.http.tls.TlsOptions;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import org.junit.jupiter.api.Test;

class ListenersTest {
  private static final HttpHandler OK =
      exchange -> exchange.respond(ServerResponse.of(200, "text/plain", new byte[] {'k'}));

  private static InetSocketAddress address(String host, int port) throws IOException {
    return new InetSocketAddress(InetAddress.getByName(host), port);
  }

  private static HttpServer start(InetSocketAddress... binds) throws IOException {
    return HttpServer.start(
        HttpServerOptions.of(
            List.of(binds), TlsOptions.of(TestServer.AUTHORITY.issue("localhost"))),
        OK);
  }

  private static String ask(String authority) throws Exception {
    try (var client = TestServer.client(HttpClient.Version.HTTP_2)) {
      return client
          .send(
              HttpRequest.newBuilder(URI.create("https://" + authority + "/")).build(),
              BodyHandlers.ofString())
          .body();
    }
  }

  @Test
  void listensOnBothFamilies() throws Exception {
    try (var server = start(address("127.0.0.1", 0), address("::1", 0))) {
      assertThat(ask("127.0.0.1:" + server.addresses().get(0).getPort())).isEqualTo("k");
      assertThat(ask("[::1]:" + server.addresses().get(1).getPort())).isEqualTo("k");
      assertThat(server.addresses().get(1).getPort())
          .as("one free port for both")
          .isEqualTo(server.addresses().get(0).getPort());
    }
  }

  @Test
  void bothFamiliesOrNone() throws Exception {
    try (var six = start(address("::1", 0))) {
      int taken = six.addresses().getFirst().getPort();
      assertThatThrownBy(() -> start(address("127.0.0.1", taken), address("::1", taken)))
          .hasMessage("cannot listen on [0:0:0:0:0:0:0:1]:" + taken + ": address already in use");
      try (var four = start(address("127.0.0.1", taken))) {
        assertThat(four.addresses()).hasSize(1);
      }
    }
  }

  @Test
  void listensOnBothFamiliesWithTheSamePort() throws Exception {
    int port;
    try (var probe = start(address("127.0.0.1", 0))) {
      port = probe.addresses().getFirst().getPort();
    }
    try (var server = start(address("127.0.0.1", port), address("::1", port))) {
      assertThat(server.addresses()).hasSize(2);
      assertThat(ask("127.0.0.1:" + port)).isEqualTo("k");
      assertThat(ask("[::1]:" + port)).isEqualTo("k");
    }
    try (var server = start(address("0.0.0.0", port), address("::", port))) {
      assertThat(server.addresses()).hasSize(1);
      assertThat(ask("127.0.0.1:" + port)).isEqualTo("k");
      assertThat(ask("[::1]:" + port)).isEqualTo("k");
    }
  }

  @Test
  void aPortInUseIsSaidClearlyAndNothingStaysBound() throws Exception {
    try (var first = start(address("127.0.0.1", 0))) {
      int taken = first.addresses().getFirst().getPort();
      int free;
      try (var probe = start(address("127.0.0.1", 0))) {
        free = probe.addresses().getFirst().getPort();
      }
      assertThatThrownBy(() -> start(address("127.0.0.1", free), address("127.0.0.1", taken)))
          .isInstanceOf(IOException.class)
          .hasMessage("cannot listen on 127.0.0.1:" + taken + ": address already in use");
      try (var again = start(address("127.0.0.1", free))) {
        assertThat(again.addresses().getFirst().getPort()).isEqualTo(free);
      }
    }
  }

  @Test
  void anAddressOfAnotherMachineIsSaidClearly() {
    assertThatThrownBy(() -> start(address("192.0.2.1", 6443)))
        .hasMessage("cannot listen on 192.0.2.1:6443: this machine has no such address");
    assertThatThrownBy(() -> start(address("2001:db8::1", 6443)))
        .hasMessage(
            "cannot listen on [2001:db8:0:0:0:0:0:1]:6443: this machine has no such address");
  }

  @Test
  void servesPlainHttpWithoutTlsOptions() throws Exception {
    try (var server =
            HttpServer.start(HttpServerOptions.of(List.of(address("127.0.0.1", 0)), null), OK);
        var client = HttpClient.newHttpClient()) {
      var uri = URI.create("http://127.0.0.1:" + server.addresses().getFirst().getPort() + "/");
      assertThat(client.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString()).body())
          .isEqualTo("k");
    }
  }
}
