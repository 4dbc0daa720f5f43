package dev.muster.server.nodes;

import dev.muster.server.proxy.BackendCall;
import dev.muster.server.proxy.BackendException;
import dev.muster.server.request.Request;

/**
 * Forwards ports over a client's WebSocket: its messages contain the bytes of the SPDY connection
 * to the kubelet.
 */
final class TunnelledPorts {
  static final String PROTOCOL = "portforward.k8s.io";
  private static final String TUNNELLED = SpdyStreams.PROTOCOL + "+" + PROTOCOL;

  private final BackendCall kubelet;
  private final ClientSocket socket;

  /**
   * Connects the client.
   *
   * @param kubelet that has agreed to the protocol
   */
  TunnelledPorts(Request request, BackendCall kubelet) {
    this.kubelet = kubelet;
    this.socket = ClientSocket.open(request, kubelet::cancel);
  }

  static boolean wanted(Request request) {
    return request.exchange().wantsWebSocket()
        && request.header("sec-websocket-protocol").strip().equals(TUNNELLED);
  }

  /** Sends the client's bytes to the kubelet until they end. */
  void send() throws BackendException {
    for (var bytes = socket.read(); bytes != null; bytes = socket.read()) {
      kubelet.write(bytes);
    }
    kubelet.cancel();
  }

  /** Sends the kubelet's bytes to the client until either side ends. */
  void receive() throws BackendException {
    for (var bytes = kubelet.next(); bytes != null; bytes = kubelet.next()) {
      if (!socket.write(bytes)) {
        return;
      }
    }
    socket.close();
  }
}
