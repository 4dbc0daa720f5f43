package dev.muster.server;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.registry.connect.Destination;
import java.io.IOException;
import java.net.ServerSocket;
import org.junit.jupiter.api.Test;

class DialTest {
  @Test
  void saysWhoRefused() throws IOException {
    int port;
    try (var socket = new ServerSocket(0)) {
      port = socket.getLocalPort();
    }
    assertThatThrownBy(() -> Dial.once(new Destination("https", "127.0.0.1", "" + port, "", "")))
        .hasMessage("dial tcp 127.0.0.1:" + port + ": connect: connection refused");
  }

  @Test
  void connectsWhereSomebodyListens() throws IOException, Dial.Failed {
    try (var socket = new ServerSocket(0)) {
      Dial.once(new Destination("http", "127.0.0.1", "" + socket.getLocalPort(), "", ""));
    }
  }
}
