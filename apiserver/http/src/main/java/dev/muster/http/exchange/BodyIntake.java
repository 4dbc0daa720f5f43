package dev.muster.http.exchange;

import dev.muster.http.BodyConsumer;
import dev.muster.http.BodyReceiver;
import dev.muster.http.BodyShare;
import dev.muster.http.limits.HttpLimits;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * Receives the body of one request. Only the event loop of the connection uses it. It keeps early
 * bytes until the handler asks for the body or answers the request. After the response it still
 * reads for a short while, so that the connection need not be closed.
 */
public final class BodyIntake {
  /** How much of an unwanted body is read. */
  static final int UNWANTED_BYTES = 64 * 1024;

  private static final long UNWANTED_NANOS = 5_000_000_000L;

  /** The reason why a body was refused before the handler asked for it. */
  private record Refusal(int status, String message) {}

  private static final Refusal GONE = new Refusal(400, "the client has gone");

  private final Exchange exchange;
  private final HttpLimits limits;
  private final long announced;
  private @Nullable RequestBody arriving;
  private @Nullable BodyReceiver receiver;
  private @Nullable RequestBodyStream handed;
  private @Nullable Refusal refusal;
  private byte[] delivered = RequestBody.EMPTY;
  private boolean refused;
  private boolean ended;
  private int unwanted;
  private long unwantedSince;

  /** {@code announced} is the content-length, or -1. */
  BodyIntake(Exchange exchange, long announced) {
    this.exchange = exchange;
    this.limits = exchange.serving.limits();
    this.announced = announced;
    this.arriving =
        new RequestBody(exchange.peer, exchange.serving.bodies(), limits.maxBodyBytes(), announced);
  }

  void receive(BodyShare share, BodyReceiver waiting) {
    var incoming = arriving;
    var before = exchange.isOver() ? GONE : refusal;
    if (before != null) {
      waiting.refused(before.status(), before.message());
    } else if (incoming == null) {
      throw new IllegalStateException("the body was received, or is not wanted any more");
    } else {
      receiver = waiting;
      if (announced > limits.maxBodyBytes()) {
        refuseTooLarge();
      } else if (!incoming.claim(share)) {
        refuseNoRoom();
      } else if (ended) {
        deliver(incoming);
      } else {
        exchange.send100Continue();
      }
    }
  }

  /** Passes on the bytes that have arrived, and later ones as they arrive. */
  void handOn(BodyConsumer consumer) {
    var incoming = arriving;
    var before = exchange.isOver() ? GONE : refusal;
    if (before != null) {
      consumer.failed(before.status(), before.message());
      return;
    }
    if (incoming == null) {
      throw new IllegalStateException("the body was received, or is not wanted any more");
    }
    var input = new RequestBodyStream(exchange, consumer);
    var begun = incoming.whole();
    incoming.release();
    arriving = null;
    input.hand(begun);
    handed = input;
    if (ended) {
      input.end();
    } else {
      exchange.send100Continue();
    }
  }

  /** Whether bytes count as read only when the consumer has taken them. */
  public boolean isHandedOn() {
    return handed != null;
  }

  public void arrived(ByteBuf data) {
    if (handed != null) {
      handed.arrived(data);
      return;
    }
    var incoming = arriving;
    if (incoming == null) {
      unwanted += data.readableBytes();
      if (unwanted > UNWANTED_BYTES && exchange.isOver()) {
        exchange.abandonRequest();
      }
      return;
    }
    switch (incoming.append(data)) {
      case TAKEN -> {}
      case TOO_LARGE -> refuseTooLarge();
      case NO_ROOM -> refuseNoRoom();
    }
  }

  /** The client has sent the whole body. */
  public void end() {
    ended = true;
    if (handed != null) {
      handed.end();
      return;
    }
    var incoming = arriving;
    if (incoming != null && receiver != null) {
      deliver(incoming);
    }
  }

  public boolean ended() {
    return ended;
  }

  private void deliver(RequestBody whole) {
    var waiting = receiver;
    receiver = null;
    delivered = whole.whole();
    if (waiting != null) {
      exchange.guarded(waiting::whole);
    }
  }

  private void refuseTooLarge() {
    refuse(413, "Request entity too large: limit is " + limits.maxBodyBytes());
  }

  private void refuseNoRoom() {
    refuse(429, "too many request bodies are arriving at a time");
  }

  /** Refuses the rest of the body. The receiver answers the client. */
  public void refuse(int status, String message) {
    exchange.serving.counters().requestsRejected.increment();
    if (handed != null) {
      handed.fail(status, message);
      return;
    }
    refused = true;
    release();
    var waiting = receiver;
    receiver = null;
    if (waiting == null) {
      refusal = new Refusal(status, message);
    } else {
      exchange.guarded(() -> waiting.refused(status, message));
    }
  }

  /** The client has gone. A handler that has the whole body may still be working on it. */
  void clientGone() {
    if (handed != null) {
      handed.fail(GONE.status(), GONE.message());
    }
    if (receiver != null) {
      refuse(GONE.status(), GONE.message());
    }
  }

  /** The request is answered: the body is no longer needed. */
  void answered() {
    receiver = null;
    delivered = RequestBody.EMPTY;
    release();
  }

  /** The whole body, from its delivery to the receiver until the request is answered. */
  byte[] whole() {
    return delivered;
  }

  private void release() {
    if (arriving != null) {
      arriving.release();
      arriving = null;
      unwantedSince = System.nanoTime();
    }
  }

  /** Whether more is to come than the server reads of an unwanted body. */
  public boolean hasMuchLeft() {
    return !ended && (refused || handed != null || announced > UNWANTED_BYTES);
  }

  /** Ends a body that takes too long. Called about once a second. */
  public void tick(long now) {
    if (ended) {
      return;
    }
    if (handed != null && !exchange.isOver()) {
      if (handed.isLate(now, limits.timeouts())) {
        exchange.serving.counters().timeouts.increment();
        handed.fail(408, "the request body took too long to arrive");
      }
    } else if (exchange.isOver()) {
      if (now - unwantedSince > UNWANTED_NANOS) {
        exchange.abandonRequest();
      }
    } else if (arriving != null && arriving.late(now, limits.timeouts())) {
      exchange.serving.counters().timeouts.increment();
      refuse(408, "the request body took too long to arrive");
    }
  }
}
