package dev.muster.store.etcd;

import io.grpc.Attributes;
import io.grpc.ClientCall;
import io.grpc.ClientStreamTracer;
import io.grpc.Metadata;
import io.grpc.Status;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One request to etcd and its response. It knows whether the request can have reached etcd: a
 * request that never had a connection did not. Any thread starts it; a network thread completes it.
 */
final class UnaryCall<T> extends ClientStreamTracer.Factory {
  private final CompletableFuture<T> outcome = new CompletableFuture<>();
  private final EtcdMember member;
  private final long began = System.nanoTime();
  private final long term;
  private volatile boolean sent;
  private volatile @Nullable ClientCall<byte[], T> call;
  private volatile @Nullable String abandoned;
  private Consumer<EtcdFailure> onFailure = _ -> {};

  UnaryCall(EtcdMember member) {
    this.member = member;
    this.term = member.term();
  }

  boolean beganBefore(long nanoTime) {
    return began - nanoTime < 0;
  }

  /** The last known term of the member's leader when the call began. */
  long term() {
    return term;
  }

  /** Stops waiting for the response. */
  void abandon(String why) {
    abandoned = why;
    var current = call;
    if (current != null) {
      current.cancel(why, null);
    }
  }

  CompletableFuture<T> outcome() {
    return outcome;
  }

  /** Sets an action that runs before callers see the failure. */
  void onFailure(Consumer<EtcdFailure> action) {
    onFailure = action;
  }

  void start(ClientCall<byte[], T> started, byte[] request, Metadata headers) {
    member.began(this);
    started.start(new Listener(), headers);
    call = started;
    try {
      started.request(2);
      started.sendMessage(request);
      started.halfClose();
    } catch (IllegalStateException e) {
      // If another thread has just abandoned the call, its listener reports that.
      if (abandoned == null) {
        throw e;
      }
    }
    var why = abandoned;
    if (why != null) {
      started.cancel(why, null);
    }
  }

  @Override
  public ClientStreamTracer newClientStreamTracer(
      ClientStreamTracer.StreamInfo info, Metadata headers) {
    return new ClientStreamTracer() {
      @Override
      public void streamCreated(Attributes transport, Metadata sentHeaders) {
        sent = true;
      }
    };
  }

  private final class Listener extends ClientCall.Listener<T> {
    private @Nullable T message;

    @Override
    public void onMessage(T answer) {
      message = answer;
    }

    @Override
    public void onClose(Status status, Metadata trailers) {
      member.ended(UnaryCall.this);
      var answer = message;
      if (status.isOk() && answer != null) {
        outcome.complete(answer);
      } else {
        var failure =
            EtcdFailure.of(
                status.isOk() ? Status.INTERNAL.withDescription("no answer") : status, sent);
        onFailure.accept(failure);
        outcome.completeExceptionally(failure);
      }
    }
  }
}
