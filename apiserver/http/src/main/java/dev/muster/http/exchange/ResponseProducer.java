package dev.muster.http.exchange;

import dev.muster.http.compression.Compression;
import dev.muster.http.limits.OutgoingBudget;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has other threads produce the parts of a response, once the memory for outgoing data has room for
 * them. Only the event loop of its exchange uses it, except for {@link #runOnCpuPool} and {@link
 * #makeOn}, which are thread-safe.
 */
final class ResponseProducer {
  private static final Logger log = LoggerFactory.getLogger(ResponseProducer.class);

  /** The bytes that are reserved before a response of unknown length begins. */
  private static final int BEGIN = Compression.THRESHOLD + OutgoingBudget.PART;

  /** Runs the production when no executor was set. */
  private static final Executor ELSEWHERE = task -> Thread.ofVirtual().name("answer").start(task);

  private final Exchange exchange;
  private final OutgoingBudget outgoing;
  private volatile Executor makers = ELSEWHERE;
  private boolean reserved;

  ResponseProducer(Exchange exchange, OutgoingBudget outgoing) {
    this.exchange = exchange;
    this.outgoing = outgoing;
  }

  void makeOn(Executor threads) {
    makers = threads;
  }

  void runOnCpuPool(Runnable task) {
    makers.execute(task);
  }

  /** Begins a response once there is room for its first part. */
  void begin(Runnable task) {
    outgoing.reserve(
        BEGIN,
        false,
        exchange.peer.loop(),
        () -> {
          reserved = true;
          if (exchange.isOver()) {
            giveBack();
          }
          makers.execute(task);
        });
  }

  /**
   * Returns the reservation after the response is sent, is counted as waiting, or is no longer
   * wanted.
   */
  void giveBack() {
    if (reserved) {
      reserved = false;
      outgoing.add(-BEGIN);
    }
  }

  /** Produces a further part, and passes it on on the event loop. */
  <T> void part(Supplier<T> maker, Consumer<T> then) {
    outgoing.reserve(
        OutgoingBudget.PART,
        !exchange.hasUnread(),
        exchange.peer.loop(),
        () -> {
          if (exchange.isOver()) {
            outgoing.add(-OutgoingBudget.PART);
          } else {
            makers.execute(() -> makeHere(maker, then));
          }
        });
  }

  private <T> void makeHere(Supplier<T> maker, Consumer<T> then) {
    Runnable next;
    try {
      var made = maker.get();
      next = () -> then.accept(made);
    } catch (RuntimeException | Error e) {
      log.error(
          "a part of the answer to {} {} could not be made", exchange.method(), exchange.path(), e);
      next = exchange::abort;
    }
    var last = next;
    exchange.peer.execute(
        () -> {
          if (!exchange.isOver()) {
            ExchangeTasks.run(last);
          }
          outgoing.add(-OutgoingBudget.PART);
        });
  }
}
