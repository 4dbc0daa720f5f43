package dev.muster.bench.client;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Started and stopped by one thread; the rest runs on an event loop. Sends requests at a fixed rate
 * on one connection, whether or not those before are answered, and counts from when each was due.
 */
public final class PacedLoad implements AutoCloseable {
  private final BenchConnection connection;
  private final RequestSource source;
  private final Consumer<String> answers;
  private final Tally tally;
  private final LongSupplier others;
  private final long interval;
  private long due;
  private boolean sending = true;
  private boolean stopping;

  /**
   * @param source says null when it leaves one out
   * @param answers sees the body of each success
   * @param others tells how many requests of others have been answered so far
   */
  public PacedLoad(
      Transport transport,
      double perSecond,
      RequestSource source,
      Consumer<String> answers,
      LongSupplier others,
      Tally tally) {
    this.source = source;
    this.answers = answers;
    this.others = others;
    this.tally = tally;
    this.interval = Math.round(1e9 / perSecond);
    try {
      this.connection = transport.connect().join();
    } catch (CompletionException e) {
      throw new BenchFailure("cannot connect: " + e.getCause(), e);
    }
    this.due = System.nanoTime() + interval;
    connection.eventLoop().execute(this::schedule);
  }

  /** By the same clock by which requests are timed: none is taken for late that is not. */
  private void schedule() {
    connection.eventLoop().schedule(this::send, due - System.nanoTime(), TimeUnit.NANOSECONDS);
  }

  private void send() {
    if (stopping || !sending) {
      return;
    }
    var request = source.next(0);
    if (request != null) {
      connection.send(request, new Exchange(due));
      connection.flushNow();
    }
    due += interval;
    schedule();
  }

  /** Sends nothing more; what is under way is still counted. */
  public void stopSending() {
    connection.eventLoop().execute(() -> sending = false);
  }

  @Override
  public void close() {
    connection
        .eventLoop()
        .execute(
            () -> {
              stopping = true;
              connection.closeNow();
            });
  }

  private final class Exchange implements ResponseListener {
    private final long since;
    private final long othersBefore = others.getAsLong();
    private int status;
    private final StringBuilder body = new StringBuilder();

    Exchange(long since) {
      this.since = since;
    }

    @Override
    public void status(int code) {
      status = code;
    }

    @Override
    public void data(ByteBuf piece) {
      body.append(piece.toString(StandardCharsets.UTF_8));
    }

    @Override
    public void end(@Nullable Throwable failure) {
      if (failure != null) {
        if (!stopping) {
          tally.error(failure.toString());
        }
      } else if (status >= 300) {
        tally.error(status + " " + Api.brief(body.toString()));
      } else {
        tally.success(System.nanoTime() - since);
        tally.overtaken(others.getAsLong() - othersBefore);
        answers.accept(body.toString());
      }
    }
  }
}
