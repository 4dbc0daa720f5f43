package dev.muster.server.nodes;

import dev.muster.http.HttpStream;
import dev.muster.server.request.Request;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * The WebSocket of a client, for virtual threads: one reads and one writes, and both block. Writes
 * wait for the client to read.
 */
final class ClientSocket {
  private final Executor loop;
  private final ClientMessages messages;
  private final HttpStream stream;

  /** Completes when the client or this server ends the connection. */
  private final CompletableFuture<Boolean> over = new CompletableFuture<>();

  private ClientSocket(Executor loop, ClientMessages messages, HttpStream stream) {
    this.loop = loop;
    this.messages = messages;
    this.stream = stream;
  }

  /**
   * Answers 101.
   *
   * @param closed runs on the event loop when the connection is closed
   */
  static ClientSocket open(Request request, Runnable closed) {
    var exchange = request.exchange();
    var opened = new CompletableFuture<ClientSocket>();
    exchange
        .eventLoop()
        .execute(
            () -> {
              try {
                request.observed(101);
                var messages = new ClientMessages();
                var stream = exchange.webSocket(List.of(), messages);
                var socket = new ClientSocket(exchange.eventLoop(), messages, stream);
                stream.onClose(
                    () -> {
                      socket.over.complete(false);
                      messages.end();
                      closed.run();
                    });
                opened.complete(socket);
              } catch (RuntimeException | Error e) {
                opened.completeExceptionally(e);
              }
            });
    return opened.join();
  }

  /** Waits for the next message; null at the end. */
  byte @Nullable [] read() {
    return messages.take();
  }

  /** Sends a message once there is room for it; false when the connection is closed. */
  boolean write(byte[] message) {
    var written = new CompletableFuture<Boolean>();
    loop.execute(() -> write(message, written));
    return written.join();
  }

  private void write(byte[] message, CompletableFuture<Boolean> written) {
    if (!stream.open()) {
      written.complete(false);
      return;
    }
    stream.write(message);
    stream.flush();
    if (stream.writable()) {
      written.complete(true);
    } else {
      stream.onWritable(() -> written.complete(true));
      var _ = over.whenComplete((taken, failure) -> written.complete(false));
    }
  }

  /** Closes the connection after all written messages. */
  void close() {
    loop.execute(stream::finish);
  }
}
