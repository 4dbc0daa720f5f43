package dev.muster.http.http2;

import dev.muster.http.ServerResponse;
import dev.muster.http.SharedBytes;
import dev.muster.http.connection.ClientConnection;
import dev.muster.http.connection.OutboundBuffer;
import io.netty.handler.codec.http2.Http2Connection;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2RemoteFlowController;
import io.netty.handler.codec.http2.Http2Stream;
import java.util.ArrayList;

/**
 * Sends the data of all streams of one connection. Only its event loop uses it. It writes directly
 * into the connection's {@link OutboundBuffer}. Only when a window is too small or the socket is
 * full does data wait in Netty's flow-control queue.
 */
final class Http2Output {
  private static final int DIRECT = 64 * 1024;

  private final ClientConnection clientConnection;
  private final Http2Connection connection;
  private final Http2Answers answers;
  private ArrayList<Http2Exchange> waiting = new ArrayList<>();
  private long streamsPending;

  Http2Output(ClientConnection clientConnection, Http2Connection connection, Http2Answers answers) {
    this.clientConnection = clientConnection;
    this.connection = connection;
    this.answers = answers;
  }

  void sendContinue(Http2Stream stream) {
    answers.informational(stream.id(), 100);
    clientConnection.flushSoon();
  }

  void sendHead(Http2Stream stream, ServerResponse answer, long contentLength, boolean end) {
    answers.head(stream.id(), answer, contentLength, end);
    stream.headersSent(false);
  }

  /** Whether that many bytes can be sent at once without overtaking waiting data. */
  boolean roomFor(Http2Stream stream, long bytes) {
    var flow = remoteFlow();
    return bytes <= DIRECT
        && !flow.hasFlowControlled(stream)
        && flow.windowSize(stream) >= bytes
        && flow.windowSize(connection.connectionStream()) >= bytes
        && clientConnection.channel().isWritable();
  }

  void takeWindow(Http2Stream stream, int bytes) {
    try {
      remoteFlow().incrementWindowSize(stream, -bytes);
      remoteFlow().incrementWindowSize(connection.connectionStream(), -bytes);
    } catch (Http2Exception e) {
      throw new IllegalStateException("a window can always shrink", e);
    }
  }

  void sendData(Http2Stream stream, SharedBytes sharedBytes, int bytes, boolean end) {
    answers.data(stream.id(), sharedBytes, bytes, end);
  }

  void sendData(Http2Stream stream, byte[] piece) {
    answers.data(stream.id(), piece);
  }

  void queue(Http2Stream stream, QueuedData data) {
    remoteFlow().addFlowControlled(stream, data);
  }

  private Http2RemoteFlowController remoteFlow() {
    return connection.remote().flowController();
  }

  /** Notifies the exchange when it is writable again. */
  void waitForWritable(Http2Exchange exchange) {
    waiting.add(exchange);
  }

  boolean hasWaiting() {
    return !waiting.isEmpty();
  }

  /** Notifies the waiting exchanges that are writable again. */
  void resumeWaiting() {
    if (waiting.isEmpty()) {
      return;
    }
    var candidates = waiting;
    waiting = new ArrayList<>();
    for (var exchange : candidates) {
      exchange.resume();
    }
  }

  /** The bytes that all streams together have queued. */
  long streamsPending() {
    return streamsPending;
  }

  void streamsPending(long change) {
    streamsPending += change;
  }
}
