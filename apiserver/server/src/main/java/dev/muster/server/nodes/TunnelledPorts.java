package dev.muster.server.nodes;

import dev.muster.server.proxy.BackendCall;
import dev.muster.server.proxy.BackendException;
import dev.muster.server.request.Request;

/**
 * Ports that a client forwards over a WebSocket: its messages are the bytes of the connection that
 * it would have with the kubelet.
 */
final class TunnelledPorts {
  static final String PROTOCOL = "portforward.k8s.io";
  private static final String TUNNELLED = SpdyStreams.PROTOCOL + "+" + PROTOCOL;

  private final BackendCall kubelet;
  private final ClientSocket socket;

  /**
   * Connects the client.
   *
   * @param kubelet that has agreed on the protocol
   */
  TunnelledPorts(Request request, BackendCall kubelet) {
    this.kubelet = kubelet;
    this.socket = ClientSocket.open(request, kubelet::cancel);
  }

  static boolean wanted(Request request) {
    return request.exchange().wantsWebSocket()
        && request.header("sec-websocket-protocol").strip().equals(TUNNELLED);
  }

  /** Takes what the client sends to the kubelet, until the client has no more. */
  void send() throws BackendException {
    for (var bytes = socket.read(); bytes != null; bytes = socket.read()) {
      kubelet.write(bytes);
    }
    kubelet.cancel();
  }

  /** Takes what the kubelet sends to the client, until either has no more. */
  void receive() throws BackendException {
    for (var bytes = kubelet.next(); bytes != null; bytes = kubelet.next()) {
      if (!socket.write(bytes)) {
        return;
      }
    }
    socket.close();
  }
}
