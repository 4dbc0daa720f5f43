package dev.muster.server.proxy;

import dev.muster.http.HttpStream;
import dev.muster.http.ServerResponse;
import dev.muster.server.request.Request;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/**
 * Used by one virtual thread, which it blocks. Hands the body of a backend's answer to a client, no
 * faster than the client takes it. What ends early is cut off, so that the client notices.
 */
public final class Relay {
  private final Request request;
  private final BackendCall call;
  private final Executor loop;

  /** When the client, or this server, does not want more. */
  private final CompletableFuture<Boolean> over = new CompletableFuture<>();

  public Relay(Request request, BackendCall call) {
    this.request = request;
    this.call = call;
    this.loop = request.exchange().eventLoop();
  }

  /** Answers with that head and all that comes; returns when it is over. */
  public void stream(ServerResponse head) {
    if (isWithoutBody(head.status())) {
      request.answer(head);
      return;
    }
    request.observed(head.status());
    pump(request.exchange().stream(head));
  }

  /** Writes all that comes to that stream; returns when it is over. */
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

  /** Whether there is room for more, once there is; false when nobody wants it. */
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
