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
 * Started by any thread, finished by a network thread: one request and its one answer. Knows
 * whether the request can have reached etcd: a request that never had a connection did not.
 */
final class UnaryCall<T> extends ClientStreamTracer.Factory {
  private final CompletableFuture<T> outcome = new CompletableFuture<>();
  private volatile boolean sent;
  private Consumer<EtcdFailure> onFailure = _ -> {};

  CompletableFuture<T> outcome() {
    return outcome;
  }

  /** Called before the outcome is known to others. */
  void onFailure(Consumer<EtcdFailure> action) {
    onFailure = action;
  }

  void start(ClientCall<byte[], T> call, byte[] request, Metadata headers) {
    call.start(new Listener(), headers);
    call.request(2);
    call.sendMessage(request);
    call.halfClose();
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
