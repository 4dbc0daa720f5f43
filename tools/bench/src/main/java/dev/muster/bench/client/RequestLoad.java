package dev.muster.bench.client;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Started and stopped by one thread; the rest runs on event loops. A closed loop: a fixed number of
 * requests is in flight, and each answer sends the next request on the same connection. A
 * connection that is lost is opened again; what was in flight on it counts as errors.
 */
public final class RequestLoad implements AutoCloseable {
  private final Transport transport;
  private final RequestSource source;
  private final long leastBytes;
  private final Tally tally;
  private final List<Lane> lanes = new ArrayList<>();
  private final CompletableFuture<?> finished;
  private volatile boolean stopping;

  /**
   * @param leastBytes a shorter body counts as an error
   */
  public RequestLoad(
      Transport transport,
      int connections,
      int inFlight,
      RequestSource source,
      long leastBytes,
      Tally tally) {
    this.transport = transport;
    this.source = source;
    this.leastBytes = leastBytes;
    this.tally = tally;
    var opening = new ArrayList<CompletableFuture<BenchConnection>>();
    for (int i = 0; i < connections; i++) {
      lanes.add(new Lane(i, inFlight / connections + (i < inFlight % connections ? 1 : 0)));
      opening.add(transport.connect());
    }
    try {
      for (int i = 0; i < connections; i++) {
        lanes.get(i).start(opening.get(i).join());
      }
    } catch (CompletionException e) {
      throw new BenchFailure("cannot connect: " + e.getCause(), e);
    }
    finished =
        CompletableFuture.allOf(
            lanes.stream().map(lane -> lane.finished).toArray(CompletableFuture[]::new));
  }

  /** Waits until the source has no more requests and all are answered. */
  public void awaitFinish(long timeout, TimeUnit unit) {
    finished.orTimeout(timeout, unit).join();
  }

  @Override
  public void close() {
    stopping = true;
    for (var lane : lanes) {
      var connection = lane.connection;
      if (connection != null) {
        connection.eventLoop().execute(connection::closeNow);
      }
    }
  }

  /** One connection and the requests in flight on it. */
  private final class Lane {
    private final int index;
    private final int slots;
    private final CompletableFuture<@Nullable Void> finished = new CompletableFuture<>();
    private volatile @Nullable BenchConnection connection;
    private int busy;
    private int lost;

    Lane(int index, int slots) {
      this.index = index;
      this.slots = slots;
    }

    void start(BenchConnection opened) {
      connection = opened;
      opened
          .eventLoop()
          .execute(
              () -> {
                busy = slots;
                lost = 0;
                for (int i = 0; i < slots; i++) {
                  new Slot(this, opened).next();
                }
                opened.flushNow();
              });
    }

    void idle() {
      if (--busy == 0) {
        if (lost > 0 && !stopping) {
          reconnect();
        } else {
          finished.complete(null);
        }
      }
    }

    private void reconnect() {
      transport
          .connect()
          .orTimeout(5, TimeUnit.SECONDS)
          .whenComplete(
              (opened, failure) -> {
                if (opened != null) {
                  start(opened);
                } else if (!stopping) {
                  tally.error("cannot reconnect: " + failure);
                  CompletableFuture.delayedExecutor(100, TimeUnit.MILLISECONDS)
                      .execute(this::reconnect);
                }
              });
    }
  }

  /** One request in flight, again and again. */
  private final class Slot implements ResponseListener {
    private final Lane lane;
    private final BenchConnection connection;
    private long sentAt;
    private int status;
    private long bytes;
    private @Nullable String refusal;

    Slot(Lane lane, BenchConnection connection) {
      this.lane = lane;
      this.connection = connection;
    }

    void next() {
      var request = stopping ? null : source.next(lane.index);
      if (request == null) {
        lane.idle();
        return;
      }
      status = 0;
      bytes = 0;
      refusal = null;
      sentAt = System.nanoTime();
      connection.send(request, this);
    }

    @Override
    public void status(int code) {
      status = code;
    }

    @Override
    public void data(ByteBuf piece) {
      bytes += piece.readableBytes();
      if (status >= 300 && refusal == null) {
        refusal = piece.toString(StandardCharsets.UTF_8);
      }
    }

    @Override
    public void end(@Nullable Throwable failure) {
      if (failure != null) {
        if (!stopping) {
          tally.error(failure.toString());
        }
        lane.lost++;
        lane.idle();
        return;
      }
      if (status < 200 || status >= 300) {
        tally.error(status + " " + Api.brief(refusal == null ? "" : refusal));
      } else if (bytes < leastBytes) {
        tally.error("only " + bytes + " bytes instead of at least " + leastBytes);
      } else {
        tally.success(System.nanoTime() - sentAt);
      }
      next();
    }
  }
}
