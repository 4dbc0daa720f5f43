package dev.muster.http;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import javax.net.ssl.SSLSocket;

/** TLS sockets for tests that speak for themselves. */
final class RawTls {
  private RawTls() {}

  static SSLSocket connect(int port, String protocol) throws IOException {
    return connect(port, protocol, 0);
  }

  /** {@code receiveBuffer} 0 for the system's choice. */
  static SSLSocket connect(int port, String protocol, int receiveBuffer) throws IOException {
    var plain = new Socket();
    if (receiveBuffer > 0) {
      plain.setReceiveBufferSize(receiveBuffer);
    }
    plain.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    var factory = TestServer.AUTHORITY.client().getSocketFactory();
    var socket = (SSLSocket) factory.createSocket(plain, "localhost", port, true);
    var parameters = socket.getSSLParameters();
    parameters.setApplicationProtocols(new String[] {protocol});
    socket.setSSLParameters(parameters);
    socket.setSoTimeout(60_000);
    socket.startHandshake();
    return socket;
  }
}
