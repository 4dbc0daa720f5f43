package dev.muster.store.etcd;

import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.Status;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * One watch on all keys of etcd, until it is lost. It passes on one message per {@link #request}.
 * Its feed uses it under the feed's lock; a network thread calls it back.
 */
final class WatchStream extends ClientCall.Listener<Responses.Watch> {
  private final EtcdClient client;
  private final EtcdMember member;
  private final long startRevision;
  private final BiConsumer<WatchStream, Responses.Watch> onMessage;
  private final BiConsumer<WatchStream, EtcdFailure> onLost;
  private volatile @Nullable ClientCall<byte[], Responses.Watch> call;
  private volatile boolean open;
  private volatile boolean heard = true;
  private boolean asked;
  private boolean cancelled;
  private volatile @Nullable String abandoned;

  WatchStream(
      EtcdClient client,
      long startRevision,
      BiConsumer<WatchStream, Responses.Watch> onMessage,
      BiConsumer<WatchStream, EtcdFailure> onLost) {
    this.client = client;
    this.member = client.current();
    this.startRevision = startRevision;
    this.onMessage = onMessage;
    this.onLost = onLost;
  }

  void start() {
    member.began(this);
    var started = client.watch(member);
    started.start(this, client.headers());
    call = started;
    if (cancelled) {
      // The watch was lost and abandoned while it started.
      return;
    }
    try {
      started.sendMessage(EtcdRequests.watchEverything(startRevision));
      started.request(1);
    } catch (IllegalStateException e) {
      // If another thread has just abandoned the watch, its feed is told of that.
      if (abandoned == null) {
        throw e;
      }
    }
    if (abandoned != null || client.current() != member) {
      abandon("its member of etcd was left just now");
    }
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
    member.ended(this);
    onLost.accept(
        this,
        EtcdFailure.of(
            status.isOk() ? Status.UNAVAILABLE.withDescription("etcd ended the watch") : status,
            true));
  }

  /** The etcd member of this watch. */
  EtcdMember member() {
    return member;
  }

  /** Ends the watch as if it was lost. */
  void abandon(String why) {
    abandoned = why;
    var current = call;
    if (current != null) {
      current.cancel(why, null);
    }
  }

  /** Requests one more message. */
  void request() {
    var current = call;
    if (current != null) {
      current.request(1);
    }
  }

  /** Whether etcd has accepted the watch and not ended it. */
  boolean isOpen() {
    return open;
  }

  /**
   * Call this periodically. Returns false when nothing has arrived since the call before the last
   * one, although the watch was asked for progress.
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
      try {
        current.sendMessage(EtcdRequests.watchProgress());
      } catch (IllegalStateException e) {
        // Another thread has just abandoned the watch.
        return abandoned != null;
      }
    }
    return true;
  }

  void cancel() {
    cancelled = true;
    open = false;
    member.ended(this);
    var current = call;
    if (current != null) {
      current.cancel("the feed goes on elsewhere", null);
    }
  }
}
