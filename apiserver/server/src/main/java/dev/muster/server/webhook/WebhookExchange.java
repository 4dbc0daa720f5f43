package dev.muster.server.webhook;

import dev.muster.registry.webhook.WebhookResponse;
import io.netty.channel.Channel;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A request under way on a connection. Completed on the connection's event loop, waited for by a
 * virtual thread.
 */
final class WebhookExchange {
  private final int mostBytes;
  private final CompletableFuture<WebhookResponse> answer = new CompletableFuture<>();
  private volatile boolean begun;
  private @Nullable Channel channel;
  private boolean aborted;

  WebhookExchange(int mostBytes) {
    this.mostBytes = mostBytes;
  }

  int mostBytes() {
    return mostBytes;
  }

  /** Fails with an {@link ExchangeException}. */
  CompletableFuture<WebhookResponse> answer() {
    return answer;
  }

  /** Whether something of an answer has come. */
  boolean begun() {
    return begun;
  }

  void begin() {
    begun = true;
  }

  void fail(String why) {
    answer.completeExceptionally(new ExchangeException(why, begun));
  }

  /** Tells what has to be closed when nobody waits any more. */
  synchronized void on(Channel used) {
    channel = used;
    if (aborted) {
      used.close();
    }
  }

  /** Nobody waits any more: its connection, or its part of one, is closed. */
  synchronized void abort() {
    aborted = true;
    if (channel != null) {
      channel.close();
    }
  }
}
