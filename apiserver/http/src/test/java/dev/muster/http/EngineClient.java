package dev.muster.http;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLEngineResult.Status;
import javax.net.ssl.SSLException;

/** Used by one thread: a TLS client over any engine, as far as the end of its handshake. */
final class EngineClient {
  private final SSLEngine engine;
  private final ByteBuffer in;
  private final ByteBuffer out;

  EngineClient(SSLEngine engine) {
    this.engine = engine;
    this.in = ByteBuffer.allocate(engine.getSession().getPacketBufferSize());
    this.out = ByteBuffer.allocate(engine.getSession().getPacketBufferSize());
    in.flip();
  }

  /** Fails when the two sides do not agree. */
  void handshake(int port) throws IOException {
    try (var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.setSoTimeout(60_000);
      engine.beginHandshake();
      var status = engine.getHandshakeStatus();
      while (status != HandshakeStatus.FINISHED && status != HandshakeStatus.NOT_HANDSHAKING) {
        status =
            switch (status) {
              case NEED_WRAP -> wrap(socket);
              case NEED_UNWRAP, NEED_UNWRAP_AGAIN -> unwrap(socket);
              case NEED_TASK -> run();
              case FINISHED, NOT_HANDSHAKING -> status;
            };
      }
      wrap(socket);
    } finally {
      engine.closeOutbound();
    }
  }

  private HandshakeStatus run() {
    for (var task = engine.getDelegatedTask(); task != null; task = engine.getDelegatedTask()) {
      task.run();
    }
    return engine.getHandshakeStatus();
  }

  private HandshakeStatus wrap(Socket socket) throws IOException {
    out.clear();
    var result = engine.wrap(ByteBuffer.allocate(0), out);
    socket.getOutputStream().write(out.array(), 0, out.position());
    return result.getHandshakeStatus();
  }

  private HandshakeStatus unwrap(Socket socket) throws IOException {
    var plain = ByteBuffer.allocate(engine.getSession().getApplicationBufferSize());
    var result = engine.unwrap(in, plain);
    if (result.getStatus() == Status.BUFFER_UNDERFLOW) {
      in.compact();
      int read = socket.getInputStream().read(in.array(), in.position(), in.remaining());
      if (read < 0) {
        throw new SSLException("the server closed the connection");
      }
      in.position(in.position() + read);
      in.flip();
    }
    return result.getHandshakeStatus();
  }
}
