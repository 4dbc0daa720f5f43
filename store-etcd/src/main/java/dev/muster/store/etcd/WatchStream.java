package dev.muster.store.etcd;

import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.Status;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Driven by its feed under the feed's lock, called back by a network thread: one watch on the whole
 * key space, until it is lost. Hands over one message per {@link #request}.
 */
final class WatchStream extends ClientCall.Listener<Responses.Watch> {
  private final EtcdClient client;
  private final long startRevision;
  private final BiConsumer<WatchStream, Responses.Watch> onMessage;
  private final BiConsumer<WatchStream, EtcdFailure> onLost;
  private volatile @Nullable ClientCall<byte[], Responses.Watch> call;
  private volatile boolean open;
  private volatile boolean heard = true;
  private boolean asked;
  private boolean cancelled;

  WatchStream(
      EtcdClient client,
      long startRevision,
      BiConsumer<WatchStream, Responses.Watch> onMessage,
      BiConsumer<WatchStream, EtcdFailure> onLost) {
    this.client = client;
    this.startRevision = startRevision;
    this.onMessage = onMessage;
    this.onLost = onLost;
  }

  void start() {
    var started = client.watch();
    call = started;
    started.start(this, client.headers());
    if (cancelled) {
      // It was lost while it started, and given up.
      return;
    }
    started.sendMessage(EtcdRequests.watchEverything(startRevision));
    started.request(1);
  }

  @Override
  public void onMessage(Responses.Watch message) {
    open = true;
    heard = true;
    onMessage.accept(this, message);
  }

  @Override
  public void onClose(Status status, Metadata trailers) {
    open = false;
    onLost.accept(
        this,
        EtcdFailure.of(
            status.isOk() ? Status.UNAVAILABLE.withDescription("etcd ended the watch") : status,
            true));
  }

  /** Asks for one more message. */
  void request() {
    var current = call;
    if (current != null) {
      current.request(1);
    }
  }

  /** Whether etcd has answered the watch and not ended it. */
  boolean isOpen() {
    return open;
  }

  /**
   * To be asked now and then: false when nothing was heard since the time before last although a
   * sign of life was asked for.
   */
  boolean isAlive() {
    if (heard) {
      heard = false;
      asked = false;
      return true;
    }
    if (asked) {
      return false;
    }
    asked = true;
    var current = call;
    if (current != null) {
      current.sendMessage(EtcdRequests.watchProgress());
    }
    return true;
  }

  void cancel() {
    cancelled = true;
    open = false;
    var current = call;
    if (current != null) {
      current.cancel("the feed goes on elsewhere", null);
    }
  }
}
