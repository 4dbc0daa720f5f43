package dev.muster.server.proxy;

import dev.muster.http.HttpStream;
import dev.muster.http.ServerResponse;
import dev.muster.server.request.Request;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/**
 * Sends the body of a backend's response to a client, no faster than the client reads. One virtual
 * thread uses it, which it blocks. A body that ends early is cut off, so that the client notices.
 */
public final class Relay {
  private final Request request;
  private final BackendCall call;
  private final Executor loop;

  /** Completes when the client or this server ends the response. */
  private final CompletableFuture<Boolean> over = new CompletableFuture<>();

  public Relay(Request request, BackendCall call) {
    this.request = request;
    this.call = call;
    this.loop = request.exchange().eventLoop();
  }

  /** Answers with that head and the whole body; returns at the end. */
  public void stream(ServerResponse head) {
    if (isWithoutBody(head.status())) {
      request.answer(head);
      return;
    }
    request.observed(head.status());
    pump(request.exchange().stream(head));
  }

  /** Writes the whole body to that stream; returns at the end. */
  void pump(HttpStream stream) {
    loop.execute(() -> stream.onClose(this::end));
    try {
      boolean taken = true;
      for (var piece = call.next(); piece != null && taken; piece = call.next()) {
        taken = write(stream, piece).join();
      }
      loop.execute(stream::finish);
    } catch (BackendException e) {
      loop.execute(stream::abort);
    }
  }

  private boolean isWithoutBody(int status) {
    return status == 204 || status == 304 || request.exchange().method().equals("HEAD");
  }

  private void end() {
    over.complete(false);
    call.cancel();
  }

  /** Completes with true when there is room for more, with false when the response has ended. */
  private CompletableFuture<Boolean> write(HttpStream stream, byte[] piece) {
    var taken = new CompletableFuture<Boolean>();
    over.thenAccept(taken::complete);
    loop.execute(
        () -> {
          stream.onWritable(() -> taken.complete(true));
          stream.write(piece);
          stream.flush();
          if (stream.writable()) {
            taken.complete(true);
          }
        });
    return taken;
  }
}
