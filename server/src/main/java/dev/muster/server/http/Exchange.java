package dev.muster.server.http;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.net.InetSocketAddress;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.ScheduledExecutorService;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Owned by its connection's event loop, but for {@link #respond}, {@link #stream} and {@link
 * #onCancel}, which any thread may call: one request and its answer, whatever the protocol.
 */
abstract sealed class Exchange implements HttpExchange, HttpStream
    permits Http1Exchange, Http2Exchange {
  private static final Logger log = LoggerFactory.getLogger(Exchange.class);
  private static final VarHandle ANSWERED;

  /** How much one stream may have queued before it is no longer writable. */
  static final int STREAM_PENDING = 256 * 1024;

  static {
    try {
      ANSWERED = MethodHandles.lookup().findVarHandle(Exchange.class, "answered", boolean.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  final Peer peer;
  final Serving serving;
  private byte[] body = RequestBody.EMPTY;
  private @Nullable BodyIntake intake;

  @SuppressWarnings({"unused", "FieldMayBeFinal"})
  private volatile boolean answered;

  private boolean inFlight;
  private boolean streaming;
  private boolean over;
  private boolean cancelled;
  private @Nullable List<Runnable> cancelTasks;
  private @Nullable Runnable writableTask;
  private @Nullable Runnable closeTask;

  Exchange(Peer peer, Serving serving) {
    this.peer = peer;
    this.serving = serving;
  }

  /** Sends a whole answer; the exchange is still open. */
  abstract void sendAnswer(HttpAnswer answer);

  /** Sends the head of a stream; the exchange is still open. */
  abstract void sendHead(HttpAnswer head);

  /** Ends the exchange, which is still open, so that the client notices. */
  abstract void cutOff();

  /** Tells a client that waits for it to send the body. */
  abstract void invite();

  /** The answer is sent and the client goes on sending a body: makes it stop. */
  abstract void abandonRequest();

  /** Gives a request to the handler that has no body. */
  final void begin() {
    inFlight = true;
    serving.counters().requestsInFlight.increment();
    guarded(() -> serving.handler().handle(this));
  }

  /** Gives a request to the handler whose body is on its way. */
  final void beginWithBody(long announced) {
    intake = new BodyIntake(this, announced);
    begin();
  }

  /** How the body comes in; null when there is none. */
  final @Nullable BodyIntake intake() {
    return intake;
  }

  final void guarded(Runnable step) {
    try {
      step.run();
    } catch (RuntimeException | Error e) {
      log.error("the handler failed on {} {}", method(), path(), e);
      if (ANSWERED.compareAndSet(this, false, true)) {
        send(serving.errors().render(500, "internal server error"));
      } else {
        abort();
      }
    }
  }

  @Override
  public final void identified(boolean authenticated) {
    if (authenticated) {
      peer.vouch();
    } else {
      peer.unknownUser();
    }
  }

  @Override
  public final boolean hasBody() {
    return intake != null;
  }

  @Override
  public final void receive(BodyShare share, BodyReceiver receiver) {
    if (intake == null) {
      receiver.whole();
    } else if (over) {
      receiver.refused(400, "the client has gone");
    } else {
      intake.receive(share, receiver);
    }
  }

  final void body(byte[] whole) {
    body = whole;
  }

  /** Answers in the handler's stead. */
  final void refuse(int status, String message) {
    serving.counters().requestsRejected.increment();
    if (ANSWERED.compareAndSet(this, false, true)) {
      send(serving.errors().render(status, message));
    }
  }

  @Override
  public final void respond(HttpAnswer answer) {
    claim();
    if (Compression.wanted(answer, this)) {
      Thread.ofVirtual().name("gzip").start(() -> sendFromAnywhere(compressed(answer)));
    } else {
      sendFromAnywhere(answer);
    }
  }

  @Override
  public final void respond(HttpAnswer head, Iterator<Pieces> body) {
    var begin = new Pieces();
    while (body.hasNext() && begin.left() <= Compression.THRESHOLD) {
      begin.addAll(body.next());
    }
    if (!body.hasNext() && begin.left() <= Compression.THRESHOLD) {
      respond(head.withBody(begin.toArray()));
    } else if (head.compressible() && Compression.wanted(begin.left(), this)) {
      claim();
      var parts = new PartsAfter(begin, body);
      Thread.ofVirtual().name("gzip").start(() -> sendCompressed(head, parts));
    } else {
      new StreamedParts(stream(head), new PartsAfter(begin, body)).start();
    }
  }

  /** Nothing is sent before all is compressed: whatever goes wrong can still be an answer. */
  private void sendCompressed(HttpAnswer head, Iterator<Pieces> parts) {
    HttpAnswer whole;
    try {
      whole = Compression.gzip(head, parts);
    } catch (RuntimeException | Error e) {
      log.error("could not make the answer to {} {}", method(), path(), e);
      whole = serving.errors().render(500, "internal server error");
    }
    sendFromAnywhere(whole);
  }

  private static HttpAnswer compressed(HttpAnswer answer) {
    try {
      return Compression.gzip(answer);
    } catch (RuntimeException | OutOfMemoryError e) {
      log.error("could not compress an answer, sending it as it is", e);
      return answer;
    }
  }

  private void sendFromAnywhere(HttpAnswer answer) {
    if (inEventLoop()) {
      send(answer);
    } else {
      peer.execute(() -> send(answer));
    }
  }

  @Override
  public final HttpStream stream(HttpAnswer head) {
    return streamAfter(() -> sendHead(head));
  }

  final HttpStream streamAfter(Runnable head) {
    claim();
    streaming = true;
    if (inEventLoop()) {
      start(head);
    } else {
      peer.execute(() -> start(head));
    }
    return this;
  }

  private void claim() {
    if (!ANSWERED.compareAndSet(this, false, true)) {
      throw new IllegalStateException("already answered: " + method() + " " + path());
    }
  }

  private void send(HttpAnswer answer) {
    answering();
    if (over) {
      return;
    }
    try {
      sendAnswer(answer);
    } catch (RuntimeException | Error e) {
      log.error("could not send the answer to {} {}", method(), path(), e);
      abort();
    }
  }

  private void start(Runnable head) {
    answering();
    if (over) {
      run(closeTask);
      closeTask = null;
      return;
    }
    try {
      head.run();
    } catch (RuntimeException | Error e) {
      log.error("could not start the answer to {} {}", method(), path(), e);
      abort();
    }
  }

  /** The handler has its answer, so that nobody needs the body any more. */
  private void answering() {
    settle();
    body = RequestBody.EMPTY;
    if (intake != null) {
      intake.answered();
    }
  }

  private void settle() {
    if (inFlight) {
      inFlight = false;
      serving.counters().requestsInFlight.decrement();
    }
  }

  /** The answer is complete, as far as this side goes. */
  final void completed() {
    end(false);
  }

  /** The client has gone before the answer was complete. */
  final void clientGone() {
    end(true);
  }

  private void end(boolean early) {
    if (over) {
      return;
    }
    over = true;
    cancelled = early;
    settle();
    if (intake != null) {
      intake.clientGone();
    }
    var cancels = cancelTasks;
    cancelTasks = null;
    writableTask = null;
    if (early && cancels != null) {
      cancels.forEach(Exchange::run);
    }
    var close = closeTask;
    closeTask = null;
    run(close);
  }

  final boolean over() {
    return over;
  }

  final boolean streaming() {
    return streaming;
  }

  final void becameWritable() {
    run(writableTask);
  }

  private static void run(@Nullable Runnable task) {
    if (task != null) {
      try {
        task.run();
      } catch (RuntimeException | Error e) {
        log.error("a task of an exchange failed", e);
      }
    }
  }

  @Override
  public final void abort() {
    if (!inEventLoop()) {
      peer.execute(this::abort);
    } else if (!over) {
      cutOff();
    }
  }

  @Override
  public final boolean open() {
    return !over;
  }

  @Override
  public final void onWritable(Runnable task) {
    writableTask = task;
  }

  @Override
  public final void onClose(Runnable task) {
    if (over) {
      run(task);
    } else {
      closeTask = task;
    }
  }

  @Override
  public final void onCancel(Runnable task) {
    if (!inEventLoop()) {
      peer.execute(() -> onCancel(task));
    } else if (cancelled) {
      run(task);
    } else if (!over) {
      if (cancelTasks == null) {
        cancelTasks = new ArrayList<>(1);
      }
      cancelTasks.add(task);
    }
  }

  @Override
  public final byte[] body() {
    return body;
  }

  @Override
  public final List<X509Certificate> clientCertificates() {
    return peer.certificates();
  }

  @Override
  public final InetSocketAddress remoteAddress() {
    return peer.remoteAddress();
  }

  @Override
  public final ScheduledExecutorService eventLoop() {
    return peer.loop;
  }

  @Override
  public final boolean inEventLoop() {
    return peer.loop.inEventLoop();
  }

  @Override
  public final ConnectionMemory connection() {
    return peer.memory;
  }
}
