package dev.muster.server.http;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.net.InetSocketAddress;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Consumer;
import java.util.function.Supplier;
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

  private final ExchangeTasks tasks = new ExchangeTasks();
  private final AnswerMaking making;
  private boolean inFlight;
  private boolean streaming;
  private volatile boolean over;
  private List<HttpAnswer.Header> added = List.of();

  Exchange(Peer peer, Serving serving) {
    this.peer = peer;
    this.serving = serving;
    this.making = new AnswerMaking(this, serving.outgoing());
  }

  @Override
  public final void addToAnswer(List<HttpAnswer.Header> headers) {
    added = headers;
  }

  private HttpAnswer complete(HttpAnswer answer) {
    if (added.isEmpty()) {
      return answer;
    }
    var all = new ArrayList<>(answer.headers());
    all.addAll(added);
    return new HttpAnswer(answer.status(), all, answer.body(), answer.compressible());
  }

  /** Sends a whole answer; the exchange is still open. */
  abstract void sendAnswer(HttpAnswer answer);

  /** Sends the head of a stream; the exchange is still open. */
  abstract void sendHead(HttpAnswer head);

  /** Whether some of the answer waits for the client to read it. */
  abstract boolean hasUnread();

  /** Ends the exchange, which is still open, so that the client notices. */
  abstract void cutOff();

  /** So many bytes of what the client sent are out of memory. */
  abstract void inputTaken(int bytes);

  /** Keeps the client from sending more, as far as the protocol leaves that to us. */
  abstract void pauseInput(boolean pause);

  /** Tells a client that waits for it to send the body. */
  abstract void invite();

  /** The answer is sent and the client goes on sending a body: makes it stop. */
  abstract void abandonRequest();

  /** Gives a request to the handler that has no body. */
  final void begin() {
    inFlight = true;
    serving.counters().requestsInFlight.increment();
    if (peer.waiting() > serving.outgoing().share()) {
      refuse(429, "too much of what this connection asked for waits to be read");
      return;
    }
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

  @Override
  public final void receive(InputConsumer consumer) {
    if (intake == null) {
      consumer.end();
    } else if (over) {
      consumer.failed(400, "the client has gone");
    } else {
      intake.handOn(consumer);
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
  public final void makeOn(Executor threads) {
    making.makeOn(threads);
  }

  @Override
  public final void elsewhere(Runnable task) {
    making.elsewhere(task);
  }

  @Override
  public final void make(Runnable task) {
    if (inEventLoop()) {
      making.begin(task);
    } else {
      peer.execute(() -> make(task));
    }
  }

  @Override
  public final void respond(HttpAnswer answer) {
    claim();
    if (Compression.wanted(answer, this)) {
      making.elsewhere(() -> sendFromAnywhere(compressed(answer)));
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
      var parts = new GzipParts(new PartsAfter(begin, body), serving.outgoing());
      var first = inEventLoop() ? new Pieces() : parts.next();
      begin(Compression.head(head), first, new StreamedParts(this, parts, true, parts::close));
    } else {
      begin(head, begin, new StreamedParts(this, body, !inEventLoop(), () -> {}));
    }
  }

  private void begin(HttpAnswer head, Pieces first, StreamedParts others) {
    stream(head);
    if (inEventLoop()) {
      begin(first, others);
    } else {
      peer.execute(() -> begin(first, others));
    }
  }

  private void begin(Pieces first, StreamedParts others) {
    write(first);
    making.giveBack();
    others.start();
  }

  @Override
  public final <T> void make(Supplier<T> maker, Consumer<T> then) {
    making.part(maker, then);
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
    return streamAfter(() -> sendHead(complete(head)));
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
      sendAnswer(complete(answer));
      making.giveBack();
    } catch (RuntimeException | Error e) {
      log.error("could not send the answer to {} {}", method(), path(), e);
      abort();
    }
  }

  private void start(Runnable head) {
    answering();
    if (over) {
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
    settle();
    making.giveBack();
    if (intake != null) {
      intake.clientGone();
    }
    tasks.end(early);
  }

  @Override
  public final boolean isOver() {
    return over;
  }

  final boolean over() {
    return over;
  }

  final boolean streaming() {
    return streaming;
  }

  final void becameWritable() {
    tasks.becameWritable();
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
    tasks.onWritable(task);
  }

  @Override
  public final void onClose(Runnable task) {
    tasks.onClose(task);
  }

  @Override
  public final void onCancel(Runnable task) {
    if (inEventLoop()) {
      tasks.onCancel(task);
    } else {
      peer.execute(() -> tasks.onCancel(task));
    }
  }

  @Override
  public final void onEnd(Runnable task) {
    if (inEventLoop()) {
      tasks.onEnd(task);
    } else {
      peer.execute(() -> tasks.onEnd(task));
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
