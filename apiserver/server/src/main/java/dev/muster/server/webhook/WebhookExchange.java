package dev.muster.server.webhook;

import dev.muster.registry.webhook.WebhookResponse;
import io.netty.channel.Channel;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * One running request on a connection. The connection's event loop completes it, and a virtual
 * thread waits for it.
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

  /** Whether a response has begun. */
  boolean begun() {
    return begun;
  }

  void begin() {
    begun = true;
  }

  void fail(String why) {
    answer.completeExceptionally(new ExchangeException(why, begun));
  }

  /** Sets the channel to close if the exchange is aborted. */
  synchronized void on(Channel used) {
    channel = used;
    if (aborted) {
      used.close();
    }
  }

  /** Aborts the exchange and closes its connection or stream. */
  synchronized void abort() {
    aborted = true;
    if (channel != null) {
      channel.close();
    }
  }
}
