package dev.muster.bench.client;

import io.netty.buffer.ByteBuf;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Safe for use by many threads: single requests, answered whole, for what surrounds the load. */
public final class Api implements AutoCloseable {
  private static final Pattern RESOURCE_VERSION =
      Pattern.compile("\"metadata\"\\s*:\\s*\\{[^}]*?\"resourceVersion\"\\s*:\\s*\"(\\d+)\"");

  private static final Pattern ANY_VERSION =
      Pattern.compile("\"resourceVersion\"\\s*:\\s*\"(\\d+)\"");

  private final Transport transport;
  private BenchConnection connection;

  /** A status code and the body. */
  public record Answer(int status, String body) {
    public boolean ok() {
      return status >= 200 && status < 300;
    }
  }

  public Api(Transport transport) {
    this.transport = transport;
    this.connection = connect(transport);
  }

  private static BenchConnection connect(Transport transport) {
    try {
      return transport.connect().get(15, TimeUnit.SECONDS);
    } catch (ExecutionException | CompletionException e) {
      throw new BenchFailure("cannot connect: " + e.getCause(), e);
    } catch (TimeoutException e) {
      throw new BenchFailure("cannot connect within 15 s", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new BenchFailure("interrupted", e);
    }
  }

  /** One that takes requests: servers end connections on which nothing happens for long. */
  private synchronized BenchConnection open() {
    if (!connection.eventLoop().submit(connection::open).syncUninterruptibly().getNow()) {
      connection = connect(transport);
    }
    return connection;
  }

  public Answer call(PreparedRequest request) {
    var collector = new Collector();
    var used = open();
    used.eventLoop()
        .execute(
            () -> {
              used.send(request, collector);
              used.flushNow();
            });
    try {
      return collector.answer.get(90, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      throw new BenchFailure(request.headers().path() + " failed: " + e.getCause(), e);
    } catch (TimeoutException e) {
      throw new BenchFailure(request.headers().path() + ": no answer within 90 s", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new BenchFailure("interrupted", e);
    }
  }

  /** The answer when it is a success, a failure that shows it otherwise. */
  public Answer expect(PreparedRequest request) {
    var answer = call(request);
    if (!answer.ok()) {
      throw new BenchFailure(
          request.headers().method()
              + " "
              + request.headers().path()
              + " answered "
              + answer.status()
              + ": "
              + brief(answer.body()));
    }
    return answer;
  }

  /**
   * Asks again and again until the answer is the wanted one.
   *
   * @return how often it was another one
   */
  public int await(PreparedRequest request, int status) {
    long endsAt = System.nanoTime() + TimeUnit.MINUTES.toNanos(5);
    int others = 0;
    while (call(request).status() != status) {
      others++;
      if (System.nanoTime() > endsAt) {
        throw new BenchFailure(request.headers().path() + ": no " + status + " within 5 minutes");
      }
      try {
        TimeUnit.MILLISECONDS.sleep(20);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new BenchFailure("interrupted", e);
      }
    }
    return others;
  }

  /** All resource versions in a list's items. */
  public static List<String> resourceVersions(Answer list) {
    return ANY_VERSION
        .matcher(list.body().substring(list.body().indexOf("\"items\"")))
        .results()
        .map(found -> found.group(1))
        .toList();
  }

  /** The resource version that stands in the first metadata of an answer. */
  public static String resourceVersion(Answer answer) {
    var found = RESOURCE_VERSION.matcher(answer.body());
    if (!found.find()) {
      throw new BenchFailure("no resourceVersion in " + brief(answer.body()));
    }
    return found.group(1);
  }

  public static String brief(String body) {
    var line = body.replaceAll("\\s+", " ");
    return line.length() <= 200 ? line : line.substring(0, 200) + "…";
  }

  @Override
  public synchronized void close() {
    connection.eventLoop().execute(connection::closeNow);
  }

  /** Keeps a whole answer. */
  private static final class Collector implements ResponseListener {
    private final CompletableFuture<Answer> answer = new CompletableFuture<>();
    private final ByteArrayOutputStream body = new ByteArrayOutputStream();
    private int status;

    @Override
    public void status(int code) {
      status = code;
    }

    @Override
    public void data(ByteBuf piece) {
      var bytes = new byte[piece.readableBytes()];
      piece.getBytes(piece.readerIndex(), bytes);
      body.writeBytes(bytes);
    }

    @Override
    public void end(@Nullable Throwable failure) {
      if (failure != null) {
        answer.completeExceptionally(failure);
      } else {
        answer.complete(new Answer(status, body.toString(StandardCharsets.UTF_8)));
      }
    }
  }
}
