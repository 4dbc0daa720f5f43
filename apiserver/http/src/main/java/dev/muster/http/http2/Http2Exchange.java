package dev.muster.http.http2;

import dev.muster.http.ServerResponse;
import dev.muster.http.SharedBytes;
import dev.muster.http.connection.WriteProgress;
import dev.muster.http.exchange.Exchange;
import dev.muster.http.limits.OutgoingBudget;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2Stream;
import io.netty.util.AsciiString;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One HTTP/2 stream with its request and response. Only the event loop of its connection uses it.
 */
final class Http2Exchange extends Exchange {
  final Http2Stream stream;
  private final Http2Session session;
  private final Http2Output output;
  private final Http2Headers headers;
  private final String method;
  private final String target;
  private final int question;
  private boolean begun;
  private boolean endQueued;
  private boolean waitsForWritable;
  private boolean attended;
  private final WriteProgress writeProgress = new WriteProgress();

  Http2Exchange(Http2Session session, Http2Stream stream, Http2Headers headers) {
    super(session.peer, session.serving);
    this.session = session;
    this.output = session.output();
    this.stream = stream;
    this.headers = headers;
    this.method = text(headers.method());
    this.target = text(headers.path());
    this.question = target.indexOf('?');
  }

  private static String text(@Nullable CharSequence value) {
    return value == null ? "" : value.toString();
  }

  /** Whether its response has begun, so that a reset only means that the client has enough. */
  boolean begun() {
    return begun;
  }

  /** The content-length, or -1. */
  long announced() {
    var value = header("content-length");
    try {
      return value == null ? -1 : Long.parseLong(value);
    } catch (NumberFormatException e) {
      return -1;
    }
  }

  @Override
  protected void inputTaken(int bytes) {
    if (bytes > 0) {
      session.inputTaken(stream, bytes);
    }
  }

  /** Nothing to do: the window of the stream limits the client. */
  @Override
  protected void pauseInput(boolean pause) {}

  @Override
  protected void send100Continue() {
    if ("100-continue".equalsIgnoreCase(header("expect"))) {
      output.sendContinue(stream);
    }
  }

  /** RFC 9113, 8.1: the response is complete, the rest of the request is not needed. */
  @Override
  protected void abandonRequest() {
    session.reset(stream, Http2Error.NO_ERROR);
    peer.flushSoon();
  }

  /** Ends the stream when the client takes too long to send its body or to read its response. */
  void tick(long now) {
    var incoming = intake();
    if (incoming != null) {
      incoming.tick(now);
    }
    if (peer.isTooSlow(writeProgress, now)) {
      serving.counters().timeouts.increment();
      abort();
    }
  }

  /**
   * Whether the session must check the stream every second. A stream without body and waiting data
   * needs no check.
   */
  boolean needsTick() {
    attended = !isOver() && (intake() != null || writeProgress.waiting() > 0);
    return attended;
  }

  @Override
  public void endConnection() {
    session.endSoon();
  }

  @Override
  protected void sendAnswer(ServerResponse answer) {
    begun = true;
    long length = answer.length();
    boolean noBody = length == 0 || method.equals("HEAD") || bodyless(answer.status());
    output.sendHead(stream, answer, bodyless(answer.status()) ? -1 : length, noBody);
    if (noBody) {
      endSent();
    } else if (output.roomFor(stream, length)) {
      int bytes = (int) length;
      output.takeWindow(stream, bytes);
      output.sendData(stream, new SharedBytes(answer.body()), bytes, true);
      endSent();
    } else {
      output.queue(stream, new QueuedData(this, new SharedBytes(answer.body()), true));
    }
    peer.flushSoon();
  }

  private static boolean bodyless(int status) {
    return status == 204 || status == 304;
  }

  @Override
  protected void sendHead(ServerResponse head) {
    begun = true;
    output.sendHead(stream, head, -1, false);
    peer.flushSoon();
  }

  @Override
  public void write(byte[] piece) {
    if (isOver() || endQueued || piece.length == 0) {
      return;
    }
    if (output.roomFor(stream, piece.length)) {
      output.takeWindow(stream, piece.length);
      output.sendData(stream, piece);
    } else {
      var sharedBytes = new SharedBytes();
      sharedBytes.add(piece);
      output.queue(stream, new QueuedData(this, sharedBytes, false));
    }
  }

  @Override
  public void write(SharedBytes sharedBytes) {
    long length = sharedBytes.left();
    if (isOver() || endQueued || length == 0) {
      return;
    }
    if (output.roomFor(stream, length)) {
      output.takeWindow(stream, (int) length);
      output.sendData(stream, sharedBytes, (int) length, false);
    } else {
      output.queue(stream, new QueuedData(this, sharedBytes, false));
    }
  }

  @Override
  public void flush() {
    peer.flushSoon();
  }

  @Override
  public void finish() {
    if (isOver() || endQueued) {
      return;
    }
    endQueued = true;
    if (output.roomFor(stream, 0)) {
      output.sendData(stream, new SharedBytes(), 0, true);
      endSent();
    } else {
      output.queue(stream, new QueuedData(this, new SharedBytes(), true));
    }
    peer.flushSoon();
  }

  @Override
  public boolean writable() {
    if (isOver() || endQueued) {
      return false;
    }
    boolean writable =
        writeProgress.waiting() < STREAM_PENDING
            && output.streamsPending() < OutgoingBudget.STREAMS_PENDING
            && peer.channel().isWritable();
    if (!writable && !waitsForWritable) {
      waitsForWritable = true;
      output.waitForWritable(this);
    }
    return writable;
  }

  /** Tells the stream that it may write again. Returns false if it must keep waiting. */
  boolean resume() {
    if (isOver()) {
      return true;
    }
    waitsForWritable = false;
    if (!writable()) {
      return false;
    }
    becameWritable();
    return true;
  }

  @Override
  protected void cutOff() {
    session.reset(stream, Http2Error.INTERNAL_ERROR);
    peer.flushSoon();
  }

  @Override
  protected boolean hasUnread() {
    return writeProgress.waiting() > 0;
  }

  void queued(long bytes) {
    writeProgress.queued(bytes);
    attend();
    peer.waits(bytes);
    if (streaming()) {
      output.streamsPending(bytes);
    }
  }

  /** Has the session check the stream every second from now on. */
  void attend() {
    if (!attended) {
      attended = true;
      session.attend(this);
    }
  }

  void sent(long bytes) {
    writeProgress.taken(bytes);
    peer.waits(-bytes);
    if (streaming()) {
      output.streamsPending(-bytes);
    }
  }

  void sendData(SharedBytes sharedBytes, int bytes, boolean end) {
    output.sendData(stream, sharedBytes, bytes, end);
  }

  void endSent() {
    completed();
    var incoming = intake();
    if (incoming != null && incoming.hasMuchLeft()) {
      abandonRequest();
    } else {
      session.closeLocal(stream);
    }
  }

  @Override
  public String method() {
    return method;
  }

  @Override
  public String path() {
    return question < 0 ? target : target.substring(0, question);
  }

  @Override
  public String query() {
    return question < 0 ? "" : target.substring(question + 1);
  }

  @Override
  public @Nullable String header(String name) {
    var value = headers.get(name);
    if (value == null && name.equals("host")) {
      value = headers.authority();
    }
    return value == null ? null : value.toString();
  }

  @Override
  public boolean hasHeaderPrefix(String prefix) {
    for (var header : headers) {
      if (AsciiString.regionMatches(header.getKey(), false, 0, prefix, 0, prefix.length())) {
        return true;
      }
    }
    return false;
  }

  @Override
  public List<Map.Entry<String, String>> headers() {
    var all = new ArrayList<Map.Entry<String, String>>();
    for (var header : headers) {
      if (header.getKey().charAt(0) != ':') {
        all.add(Map.entry(header.getKey().toString(), header.getValue().toString()));
      }
    }
    return all;
  }

  @Override
  public List<String> headers(String name) {
    var values = headers.getAll(name);
    if (values.isEmpty()) {
      var first = header(name);
      return first == null ? List.of() : List.of(first);
    }
    var texts = new ArrayList<String>(values.size());
    for (var value : values) {
      texts.add(value.toString());
    }
    return texts;
  }
}
