package dev.muster.http.exchange;

import dev.muster.http.BodyConsumer;
import dev.muster.http.BodyReceiver;
import dev.muster.http.BodyShare;
import dev.muster.http.ConnectionMemory;
import dev.muster.http.Header;
import dev.muster.http.HttpExchange;
import dev.muster.http.HttpStream;
import dev.muster.http.ServerResponse;
import dev.muster.http.SharedBytes;
import dev.muster.http.compression.Compression;
import dev.muster.http.connection.ClientConnection;
import dev.muster.http.connection.ConnectionContext;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.net.InetSocketAddress;
import java.security.cert.X509Certificate;
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
 * One request and its response, whatever the protocol. Only the event loop of its connection uses
 * it, except for {@link #respond}, {@link #stream} and {@link #onCancel}, which are thread-safe.
 */
public abstract class Exchange implements HttpExchange, HttpStream {
  private static final Logger log = LoggerFactory.getLogger(Exchange.class);
  private static final VarHandle ANSWERED;

  /** How much one stream may have queued before it is no longer writable. */
  protected static final int STREAM_PENDING = 256 * 1024;

  static {
    try {
      ANSWERED = MethodHandles.lookup().findVarHandle(Exchange.class, "answered", boolean.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  protected final ClientConnection peer;
  protected final ConnectionContext serving;
  private @Nullable BodyIntake intake;

  @SuppressWarnings({"unused", "FieldMayBeFinal"})
  private volatile boolean answered;

  private final ExchangeTasks tasks = new ExchangeTasks();
  private final ResponseProducer making;
  private boolean inFlight;
  private boolean streaming;
  private volatile boolean over;
  private List<Header> added = List.of();

  /** Safe to publish {@code this} here: the callee only stores the reference. */
  @SuppressWarnings("this-escape")
  protected Exchange(ClientConnection clientConnection, ConnectionContext connectionContext) {
    this.peer = clientConnection;
    this.serving = connectionContext;
    this.making = new ResponseProducer(this, connectionContext.outgoing());
  }

  @Override
  public final void addToAnswer(List<Header> headers) {
    added = headers;
  }

  /** Sends a whole response; the exchange is still open. */
  protected abstract void sendAnswer(ServerResponse answer);

  /** Sends the head of a stream; the exchange is still open. */
  protected abstract void sendHead(ServerResponse head);

  /** Whether a part of the response waits for the client to read it. */
  protected abstract boolean hasUnread();

  /** Ends the exchange, which is still open, so that the client notices. */
  protected abstract void cutOff();

  /** That many bytes of the client's input have left memory. */
  protected abstract void inputTaken(int bytes);

  /** Stops or resumes reading the client's input, as far as the protocol allows. */
  protected abstract void pauseInput(boolean pause);

  /** Tells a client that waits for it to send the body. */
  protected abstract void send100Continue();

  /** Makes a client stop that goes on sending a body after the response. */
  protected abstract void abandonRequest();

  /** Passes a request without a body to the handler. */
  public final void begin() {
    inFlight = true;
    serving.counters().requestsInFlight.increment();
    if (peer.waiting() > serving.outgoing().share()) {
      refuse(429, "too much of what this connection asked for waits to be read");
      return;
    }
    guarded(() -> serving.handler().handle(this));
  }

  /** Passes a request to the handler whose body is still arriving. */
  public final void beginWithBody(long announced) {
    intake = new BodyIntake(this, announced);
    begin();
  }

  /** The intake of the body; null when there is none. */
  public final @Nullable BodyIntake intake() {
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
      peer.markAuthenticated();
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
    } else {
      intake.receive(share, receiver);
    }
  }

  @Override
  public final void receive(BodyConsumer consumer) {
    if (intake == null) {
      consumer.end();
    } else {
      intake.handOn(consumer);
    }
  }

  /** Answers instead of the handler. */
  public final void refuse(int status, String message) {
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
  public final void runOnCpuPool(Runnable task) {
    making.runOnCpuPool(task);
  }

  @Override
  public final void make(Runnable task) {
    onLoop(() -> making.begin(task));
  }

  @Override
  public final void respond(ServerResponse answer) {
    claim();
    if (Compression.wanted(answer, this)) {
      making.runOnCpuPool(() -> sendFromAnywhere(Compression.gzip(answer)));
    } else {
      sendFromAnywhere(answer);
    }
  }

  @Override
  public final void respond(ServerResponse head, Iterator<SharedBytes> body) {
    switch (OutgoingBody.of(head, body, this, serving.outgoing())) {
      case OutgoingBody.Whole(var answer) -> respond(answer);
      case OutgoingBody.Parts parts -> {
        stream(parts.head());
        onLoop(() -> begin(parts));
      }
    }
  }

  private void begin(OutgoingBody.Parts parts) {
    write(parts.first());
    making.giveBack();
    new StreamedParts(this, parts.others(), parts.elsewhere(), parts.ended()).start();
  }

  @Override
  public final <T> void make(Supplier<T> maker, Consumer<T> then) {
    making.part(maker, then);
  }

  private void sendFromAnywhere(ServerResponse answer) {
    onLoop(() -> send(answer));
  }

  /** Runs the task at once on the event loop, otherwise submits it to the event loop. */
  private void onLoop(Runnable task) {
    if (inEventLoop()) {
      task.run();
    } else {
      peer.execute(task);
    }
  }

  @Override
  public final HttpStream stream(ServerResponse head) {
    return streamAfter(() -> sendHead(head.with(added)));
  }

  protected final HttpStream streamAfter(Runnable head) {
    claim();
    streaming = true;
    onLoop(() -> start(head));
    return this;
  }

  private void claim() {
    if (!ANSWERED.compareAndSet(this, false, true)) {
      throw new IllegalStateException("already answered: " + method() + " " + path());
    }
  }

  private void send(ServerResponse answer) {
    answering();
    if (over) {
      return;
    }
    try {
      sendAnswer(answer.with(added));
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

  /** The handler has answered, so the body is no longer needed. */
  private void answering() {
    settle();
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

  /** The server has sent the whole response. */
  protected final void completed() {
    end(false);
  }

  /** The client has gone before the response was complete. */
  public final void clientGone() {
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

  public final boolean streaming() {
    return streaming;
  }

  protected final void becameWritable() {
    tasks.becameWritable();
  }

  @Override
  public final void abort() {
    onLoop(
        () -> {
          if (!over) {
            cutOff();
          }
        });
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
    onLoop(() -> tasks.onCancel(task));
  }

  @Override
  public final void onEnd(Runnable task) {
    onLoop(() -> tasks.onEnd(task));
  }

  @Override
  public final byte[] body() {
    return intake == null ? RequestBody.EMPTY : intake.whole();
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
    return peer.loop();
  }

  @Override
  public final boolean inEventLoop() {
    return peer.loop().inEventLoop();
  }

  @Override
  public final ConnectionMemory connection() {
    return peer.memory();
  }
}
