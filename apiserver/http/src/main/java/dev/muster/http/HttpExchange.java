package dev.muster.http;

import java.net.InetSocketAddress;
import java.security.cert.X509Certificate;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;
import org.jspecify.annotations.Nullable;

/**
 * One request and its response, which is given exactly once, with {@link #respond} or {@link
 * #stream}. Reading needs no locks. Responding is thread-safe, and cheapest on the event loop.
 */
public interface HttpExchange {
  String method();

  /** The path as it was sent, still percent-encoded, without the query. */
  String path();

  /** The query as it was sent, without its question mark; "" when there is none. */
  String query();

  /** The first header of that lower-case name, or null. */
  @Nullable String header(String name);

  /** All headers of that lower-case name. */
  List<String> headers(String name);

  /** Whether there is a header whose lower-case name begins with the prefix. */
  boolean hasHeaderPrefix(String prefix);

  /** All headers, with lower-case names, without pseudo-headers. */
  Iterable<Map.Entry<String, String>> headers();

  /** Whether the client sends a body. Nothing of it may have arrived yet. */
  boolean hasBody();

  /**
   * Reads the whole body. The body may wait for this call, but not for long. Call it at most once,
   * on the event loop, and before the request is answered. If the request is answered without it,
   * the client is told to stop sending, or the server reads a small rest.
   */
  void receive(BodyShare share, BodyReceiver receiver);

  /**
   * Reads the body while it arrives, whatever its size, instead of {@link #receive(BodyShare,
   * BodyReceiver)}. The response may begin before the body ends.
   */
  void receive(BodyConsumer consumer);

  /** The whole body, from its receipt until the request is answered; empty otherwise. */
  byte[] body();

  /**
   * The client's certificate chain, leaf first; empty when it sent none. No CA has verified it yet.
   */
  List<X509Certificate> clientCertificates();

  InetSocketAddress remoteAddress();

  /** The thread that owns the connection. It runs tasks in order; they must not block. */
  ScheduledExecutorService eventLoop();

  boolean inEventLoop();

  /** A cache that lives as long as the connection. */
  ConnectionMemory connection();

  /**
   * Tells whether the request's user was authenticated. If so, overload no longer closes the
   * connection, and an HTTP/2 connection may have more streams. If not, an HTTP/2 connection ends
   * after this response. The event loop calls it.
   */
  void identified(boolean authenticated);

  /** Sets the executor that produces responses which would take too much time of an event loop. */
  void makeOn(Executor threads);

  /** Runs a task on the executor of {@link #makeOn}. The task answers or fails the exchange. */
  void runOnCpuPool(Runnable task);

  /**
   * Runs a task that produces a large response on the executor of {@link #makeOn}, once the memory
   * for outgoing data has room for it. The task answers or fails the exchange.
   */
  void make(Runnable task);

  /** Whether the client has gone or has its response, so that no work for it is needed. */
  boolean isOver();

  /** Answers with a whole body. */
  void respond(ServerResponse answer);

  /**
   * Answers with a large body whose parts are produced while they are sent, no faster than the
   * client reads. The event loop produces them if it calls this method, otherwise the executor of
   * {@link #makeOn}, which also compresses them if the client accepts that. The caller produces the
   * first parts at once. A small body is sent as a whole.
   */
  void respond(ServerResponse head, Iterator<SharedBytes> body);

  /** Answers with a body that continues until either side ends it. */
  HttpStream stream(ServerResponse head);

  /** Whether the client requests a WebSocket, which is possible with HTTP/1.1 only. */
  default boolean wantsWebSocket() {
    return false;
  }

  /**
   * Answers by becoming a WebSocket. Each written piece is one message, text or binary; messages of
   * the client are ignored. Only after {@link #wantsWebSocket}.
   */
  default HttpStream webSocket(List<Header> headers, boolean text) {
    throw new UnsupportedOperationException("the client did not ask for a WebSocket");
  }

  /**
   * Answers with a binary WebSocket that passes each message of the client on as one piece. The
   * event loop calls it.
   */
  default HttpStream webSocket(List<Header> headers, BodyConsumer messages) {
    throw new UnsupportedOperationException("the client did not ask for a WebSocket");
  }

  /**
   * Whether the connection can switch to another protocol, which is possible with HTTP/1.1 only.
   */
  default boolean canSwitchProtocols() {
    return false;
  }

  /**
   * Answers 101 with these headers. From then on, both directions carry raw bytes. Only after
   * {@link #canSwitchProtocols}. The event loop calls it.
   */
  default HttpStream switchProtocols(List<Header> headers, BodyConsumer consumer) {
    throw new UnsupportedOperationException("the connection speaks HTTP and nothing else");
  }

  /** Adds headers to the response, whatever it is. Call it before the response begins. */
  default void addToAnswer(List<Header> headers) {}

  /**
   * Asks the client to open another connection for its next requests, if the protocol can express
   * that.
   */
  default void endConnection() {}

  /** Cuts the response off, so that the client notices that it is incomplete. */
  void abort();

  /** Runs the task when the client goes away before the response is complete. */
  void onCancel(Runnable task);

  /**
   * Runs the task on the event loop when the response is sent or the client has gone. Only one
   * task.
   */
  void onEnd(Runnable task);
}
