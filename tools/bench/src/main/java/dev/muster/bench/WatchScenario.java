package dev.muster.bench;

import dev.muster.bench.client.Api;
import dev.muster.bench.client.BenchConnection;
import dev.muster.bench.client.BenchFailure;
import dev.muster.bench.client.PreparedRequest;
import dev.muster.bench.client.ResponseListener;
import dev.muster.bench.client.Tally;
import io.netty.buffer.ByteBuf;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Many watches on one object that is written again and again; the next write follows when every
 * watch has seen the last one. A delivery is the time from sending a write to one watch's event.
 */
record WatchScenario() implements Scenario {
  private static final int MOST_WRITES = 1_000_000;

  @Override
  public String name() {
    return "watch";
  }

  @Override
  public String title() {
    return "watch delivery";
  }

  @Override
  public Result run(BenchRun session) {
    var options = session.options();
    var path = session.data().configMaps("watch", 1);
    awaitRootCertificates(session, path);
    var list = session.api().expect(session.requests().get(path));
    var watch =
        session.requests().get(path + "?watch=true&resourceVersion=" + Api.resourceVersion(list));
    var run = new Run(session, path, options.watches());
    try {
      run.open(watch, options.watches(), options.watchConnections());
      run.write();
      return session.measure(this, run.tally);
    } finally {
      run.close();
    }
  }

  /** What a controller puts into a new namespace must not come between the events. */
  private static void awaitRootCertificates(BenchRun session, String path) {
    var get = session.requests().get(path + "/kube-root-ca.crt");
    for (int i = 0; i < 30 && !session.api().call(get).ok(); i++) {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(100));
    }
  }

  /** Started by one thread; the rest runs on event loops. */
  private static final class Run {
    private final BenchRun session;
    private final String path;
    private final int watches;
    private final Tally tally = new Tally();
    private final List<BenchConnection> connections = new ArrayList<>();
    private final AtomicLongArray sentAt = new AtomicLongArray(1024);
    private final AtomicInteger writes = new AtomicInteger();
    private final AtomicInteger missing = new AtomicInteger();
    private final AtomicInteger opened = new AtomicInteger();
    private final CompletableFuture<@Nullable Void> allOpen = new CompletableFuture<>();
    private final BenchConnection writer;
    private volatile boolean stopping;

    Run(BenchRun session, String path, int watches) {
      this.session = session;
      this.path = path;
      this.watches = watches;
      this.writer = connect(1).getFirst();
    }

    void open(PreparedRequest watch, int count, int connectionCount) {
      var lines = connect(connectionCount);
      for (int i = 0; i < lines.size(); i++) {
        int share = count / lines.size() + (i < count % lines.size() ? 1 : 0);
        var line = lines.get(i);
        line.eventLoop()
            .execute(
                () -> {
                  for (int j = 0; j < share; j++) {
                    line.send(watch, new Watch());
                  }
                  line.flushNow();
                });
      }
      session.progress().show("watch: opening " + count + " watches");
      try {
        allOpen.orTimeout(60, TimeUnit.SECONDS).join();
      } catch (CompletionException e) {
        var cause = e.getCause();
        throw new BenchFailure(
            cause instanceof TimeoutException
                ? "only " + opened.get() + " of " + count + " watches opened within 60 s"
                : "a watch failed: " + cause,
            e);
      }
    }

    void write() {
      if (stopping || writes.get() >= MOST_WRITES) {
        return;
      }
      missing.set(watches);
      writer
          .eventLoop()
          .execute(
              () -> {
                int number = writes.getAndIncrement();
                var put = put(number + 1);
                sentAt.set(number & 1023, System.nanoTime());
                writer.send(put, new Write());
                writer.flushNow();
              });
    }

    /** Every write changes something: one that does not would be no event. */
    private PreparedRequest put(int number) {
      var name = SeedData.objectName(0);
      return session.requests().put(path + "/" + name, session.data().configMap(name, number));
    }

    void close() {
      stopping = true;
      for (var connection : connections) {
        connection.eventLoop().execute(connection::closeNow);
      }
    }

    private List<BenchConnection> connect(int count) {
      var opening = new ArrayList<CompletableFuture<BenchConnection>>();
      for (int i = 0; i < count; i++) {
        opening.add(session.transport().connect());
      }
      try {
        var made = opening.stream().map(CompletableFuture::join).toList();
        connections.addAll(made);
        return made;
      } catch (CompletionException e) {
        throw new BenchFailure("cannot connect: " + e.getCause(), e);
      }
    }

    private void delivered(long at, int event) {
      tally.success(at - sentAt.get(event & 1023));
      if (missing.decrementAndGet() == 0) {
        write();
      }
    }

    private void failed(String what) {
      if (!stopping) {
        tally.error(what);
        allOpen.completeExceptionally(new BenchFailure(what));
      }
    }

    /**
     * One watch: counts the lines that arrive, because the n-th event is that of the n-th write.
     */
    private final class Watch implements ResponseListener {
      private int events;

      @Override
      public void status(int code) {
        if (code != 200) {
          failed("a watch was answered " + code);
        } else if (opened.incrementAndGet() == watches) {
          allOpen.complete(null);
        }
      }

      @Override
      public void data(ByteBuf piece) {
        int from = piece.readerIndex();
        int to = piece.writerIndex();
        long now = System.nanoTime();
        int newline;
        while ((newline = piece.indexOf(from, to, (byte) '\n')) >= 0) {
          delivered(now, events++);
          from = newline + 1;
        }
      }

      @Override
      public void end(@Nullable Throwable failure) {
        failed(failure == null ? "a watch ended" : "a watch failed: " + failure);
      }
    }

    /** One write. */
    private final class Write implements ResponseListener {
      private int status;

      @Override
      public void status(int code) {
        status = code;
      }

      @Override
      public void data(ByteBuf piece) {}

      @Override
      public void end(@Nullable Throwable failure) {
        if (failure != null || status != 200) {
          failed("a write failed: " + (failure == null ? "" + status : failure.toString()));
        }
      }
    }
  }
}
