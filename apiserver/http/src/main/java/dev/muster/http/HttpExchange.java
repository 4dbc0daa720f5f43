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
 * One request and the way to answer it, exactly once, with {@link #respond} or {@link #stream}.
 * Reading is free of locks; answering is safe from any thread and cheapest on the event loop.
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

  /** Whether there is a header whose name, in lower case, begins so. */
  boolean hasHeaderPrefix(String prefix);

  /** All headers, with lower-case names, pseudo-headers aside. */
  Iterable<Map.Entry<String, String>> headers();

  /** Whether the client sends a body, of which nothing may have arrived yet. */
  boolean hasBody();

  /**
   * Takes the body, which may be kept waiting until then, but not for long. Once at most, on the
   * event loop and before the request is answered. A request that is answered without it need not
   * send it: the client is told to stop, or is heard out when there is little left.
   */
  void receive(BodyShare share, BodyReceiver receiver);

  /**
   * Takes the body while it arrives, whatever its size, in place of {@link #receive(BodyShare,
   * BodyReceiver)}. The answer may begin before the body ends.
   */
  void receive(BodyConsumer consumer);

  /** The whole body from when it was received until the request is answered; empty otherwise. */
  byte[] body();

  /**
   * The client's certificate chain, leaf first, empty when it sent none; not yet verified against
   * any CA.
   */
  List<X509Certificate> clientCertificates();

  InetSocketAddress remoteAddress();

  /** The thread that owns the connection; tasks given to it run in order and must not block. */
  ScheduledExecutorService eventLoop();

  boolean inEventLoop();

  /** Something that lives as long as the connection, for what is worth computing once for it. */
  ConnectionMemory connection();

  /**
   * Says whether the request is from somebody who could be authenticated. A connection on which
   * somebody was is not closed for the sake of others; an HTTP/2 connection then has more streams,
   * and ends after this answer otherwise. On the event loop.
   */
  void identified(boolean authenticated);

  /** The threads on which answers are made that would take an event loop's time. */
  void makeOn(Executor threads);

  /** Runs a task on the threads of {@link #makeOn}. The task answers or fails the exchange. */
  void runOnCpuPool(Runnable task);

  /**
   * Runs a task that makes a large answer, on the threads of {@link #makeOn}, when there is room
   * for the answer among all that waits to be sent. The task answers or fails the exchange.
   */
  void make(Runnable task);

  /** Whether the client has gone or has its answer, so that nothing has to be made for it. */
  boolean isOver();

  /** Answers with a whole body. */
  void respond(ServerResponse answer);

  /**
   * Answers with a large body whose parts are made while they are sent, no faster than the client
   * takes them: on the event loop when this is called there, else on the threads of {@link
   * #makeOn}, where they are also compressed when the client asked for that. The first ones are
   * made at once, by the caller; a small body is sent as a whole.
   */
  void respond(ServerResponse head, Iterator<SharedBytes> body);

  /** Answers with a body that goes on until either side ends it. */
  HttpStream stream(ServerResponse head);

  /** Whether the client asks to go on as a WebSocket, which only HTTP/1.1 clients can. */
  default boolean wantsWebSocket() {
    return false;
  }

  /**
   * Answers by becoming a WebSocket: each piece that is written is one message, text or binary, and
   * what the client sends is ignored. Only when {@link #wantsWebSocket}.
   */
  default HttpStream webSocket(List<Header> headers, boolean text) {
    throw new UnsupportedOperationException("the client did not ask for a WebSocket");
  }

  /**
   * Answers with a binary WebSocket, each message of the client handed on as one piece. On the
   * event loop.
   */
  default HttpStream webSocket(List<Header> headers, BodyConsumer messages) {
    throw new UnsupportedOperationException("the client did not ask for a WebSocket");
  }

  /** Whether the connection can be made one for something else, which only HTTP/1.1 knows. */
  default boolean canSwitchProtocols() {
    return false;
  }

  /**
   * Answers 101 with these headers; from then on, what is written is sent as it is, and so the
   * client's bytes are handed on. Only when {@link #canSwitchProtocols}. On the event loop.
   */
  default HttpStream switchProtocols(List<Header> headers, BodyConsumer consumer) {
    throw new UnsupportedOperationException("the connection speaks HTTP and nothing else");
  }

  /** Headers that the answer has besides its own, whatever it is. Before it begins. */
  default void addToAnswer(List<Header> headers) {}

  /** Has the client open another connection for its next requests, where the protocol can. */
  default void endConnection() {}

  /** Cuts off whatever was answered, so that the client notices that it is not whole. */
  void abort();

  /** Runs the task when the client goes away before the answer is complete. */
  void onCancel(Runnable task);

  /** Runs the task when the answer is sent or the client has gone; one task, on the event loop. */
  void onEnd(Runnable task);
}
