package dev.muster.server.proxy;

import dev.muster.http.Header;
import dev.muster.http.HttpStream;
import dev.muster.server.request.Request;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/**
 * Connects a client and a backend that have switched protocols. Bytes pass unchanged in both
 * directions, no faster than they are read, until one side closes. One virtual thread uses it,
 * which it blocks.
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

  /** Answers 101 with these headers, and returns at the end. */
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
