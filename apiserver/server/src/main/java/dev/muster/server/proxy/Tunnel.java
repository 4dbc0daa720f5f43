package dev.muster.server.proxy;

import dev.muster.http.Header;
import dev.muster.http.HttpStream;
import dev.muster.server.request.Request;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/**
 * Used by one virtual thread, which it blocks. Connects a client and a backend that have agreed on
 * another protocol: bytes go both ways as they are, no faster than they are taken, until one side
 * hangs up.
 */
public final class Tunnel {
  private final Request request;
  private final BackendCall call;
  private final Executor threads;

  /**
   * @param threads virtual ones
   */
  public Tunnel(Request request, BackendCall call, Executor threads) {
    this.request = request;
    this.call = call;
    this.threads = threads;
  }

  /** Answers 101 with these headers, and returns when it is over. */
  public void open(List<Header> headers) {
    var exchange = request.exchange();
    var upload = new Upload();
    var opened = new CompletableFuture<HttpStream>();
    request.observed(101);
    exchange
        .eventLoop()
        .execute(
            () -> {
              try {
                opened.complete(exchange.switchProtocols(headers, upload));
              } catch (RuntimeException | Error e) {
                opened.completeExceptionally(e);
              }
            });
    var stream = opened.join();
    threads.execute(() -> upload.run(call, false));
    new Relay(request, call).pump(stream);
    upload.stop();
  }
}
