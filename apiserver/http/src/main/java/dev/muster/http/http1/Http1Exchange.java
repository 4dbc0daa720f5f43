package dev.muster.http.http1;

import dev.muster.http.BodyConsumer;
import dev.muster.http.Header;
import dev.muster.http.HttpStream;
import dev.muster.http.ServerResponse;
import dev.muster.http.SharedBytes;
import dev.muster.http.connection.OutboundBuffer;
import dev.muster.http.connection.WriteProgress;
import dev.muster.http.exchange.Exchange;
import dev.muster.http.exchange.RequestBodyStream;
import dev.muster.http.http1.Http1Answers.Framing;
import dev.muster.http.http1.Http1Answers.Persistence;
import io.netty.handler.codec.http.HttpMethod;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One HTTP/1.1 request and its response. Only the event loop of its connection uses it. */
final class Http1Exchange extends Exchange {
  private static final int TURN = OutboundBuffer.BLOCK;

  private final Http1Session session;
  private final Http1Request request;
  private final SharedBytes pending = new SharedBytes();
  private @Nullable SharedBytes answer;
  private boolean chunked;
  private @Nullable WebSocketFraming webSocket;
  private boolean ended;
  private boolean closeAfter;
  private boolean linger;
  private boolean invited;
  private boolean requestEnded;
  private boolean waitsForWritable;
  private final WriteProgress writeProgress = new WriteProgress();

  Http1Exchange(Http1Session session, Http1Request request) {
    super(session.peer, session.serving);
    this.session = session;
    this.request = request;
    this.closeAfter = !request.keepsAlive();
  }

  /** An exchange for a request that could not be parsed. */
  static Http1Exchange unreadable(Http1Session session) {
    return new Http1Exchange(session, Http1Request.unreadable());
  }

  /** The client has sent the whole request. */
  void endRequest() {
    requestEnded = true;
  }

  boolean requestEnded() {
    return requestEnded;
  }

  @Override
  protected void send100Continue() {
    if (request.waitsToBeInvited()) {
      invited = true;
      Http1Answers.sendContinue(peer.out());
      peer.flushSoon();
    }
  }

  /** Whether the next bytes of the client may be a rest of this request or a new one. */
  private boolean leavesDoubt() {
    var incoming = intake();
    return incoming != null
        && !incoming.ended()
        && (incoming.hasMuchLeft() || (request.waitsToBeInvited() && !invited));
  }

  @Override
  protected void abandonRequest() {
    peer.channel().close();
  }

  void closeAfter() {
    closeAfter = true;
  }

  boolean closesAfter() {
    return closeAfter;
  }

  void linger() {
    linger = true;
  }

  boolean lingers() {
    return linger;
  }

  @Override
  protected void sendAnswer(ServerResponse whole) {
    boolean bodyless = whole.status() == 204 || whole.status() == 304;
    Http1Answers.head(
        peer.out(),
        whole,
        bodyless ? new Framing.None() : new Framing.Length(whole.length()),
        persistence());
    ended = true;
    if (!bodyless && !request.method().equals(HttpMethod.HEAD)) {
      answer = new SharedBytes(whole.body());
    }
    pump();
    peer.flushSoon();
  }

  @Override
  protected void sendHead(ServerResponse head) {
    chunked = request.isHttp11();
    closeAfter |= !chunked;
    Http1Answers.head(
        peer.out(), head, chunked ? new Framing.Chunks() : new Framing.None(), persistence());
    peer.flushSoon();
  }

  @Override
  public boolean wantsWebSocket() {
    return request.isHttp11()
        && !hasBody()
        && WebSocketFraming.wanted(request.method(), request.headers());
  }

  @Override
  public HttpStream webSocket(List<Header> headers, boolean text) {
    return webSocket(headers, new WebSocketFraming(text), null);
  }

  @Override
  public HttpStream webSocket(List<Header> headers, BodyConsumer messages) {
    return webSocket(headers, new WebSocketFraming(false), new RequestBodyStream(this, messages));
  }

  private HttpStream webSocket(
      List<Header> headers, WebSocketFraming framing, @Nullable RequestBodyStream messages) {
    if (!wantsWebSocket()) {
      throw new UnsupportedOperationException("the client did not ask for a WebSocket");
    }
    return streamAfter(
        () -> {
          Http1Answers.switchProtocols(
              peer.out(), WebSocketFraming.answerHeaders(request.headers(), headers));
          webSocket = framing;
          closeAfter = true;
          session.becomeWebSocket(this, messages);
          peer.flushSoon();
        });
  }

  @Override
  public boolean canSwitchProtocols() {
    return request.isHttp11() && !hasBody();
  }

  @Override
  public HttpStream switchProtocols(List<Header> headers, BodyConsumer consumer) {
    return streamAfter(
        () -> {
          Http1Answers.switchProtocols(peer.out(), headers);
          closeAfter = true;
          session.becomeTunnel(new RequestBodyStream(this, consumer));
          peer.flushSoon();
        });
  }

  @Override
  protected void inputTaken(int bytes) {
    // Nothing to do: the socket's buffer limits the client.
  }

  @Override
  protected void pauseInput(boolean pause) {
    session.pauseInput(pause);
  }

  /** Answers a ping, unless too much data waits already. */
  void pong(byte[] payload) {
    if (!isOver() && !ended && pending.left() < STREAM_PENDING) {
      pending.add(WebSocketFraming.pong(payload));
      pump();
      peer.flushSoon();
    }
  }

  private Persistence persistence() {
    if (leavesDoubt()) {
      closeAfter = true;
      linger = true;
    }
    if (closeAfter || session.draining()) {
      closeAfter = true;
      return Persistence.CLOSE;
    }
    return request.isHttp11() ? Persistence.IMPLIED : Persistence.KEEP_ALIVE;
  }

  @Override
  public void write(byte[] piece) {
    write(SharedBytes.of(piece));
  }

  @Override
  public void write(SharedBytes sharedBytes) {
    long length = sharedBytes.left();
    if (isOver() || ended || length == 0) {
      return;
    }
    if (webSocket != null) {
      pending.add(webSocket.messageHeader((int) length));
      pending.addAll(sharedBytes);
    } else if (chunked) {
      pending.add(Http1Answers.chunkHeader((int) length));
      pending.addAll(sharedBytes);
      pending.add(Http1Answers.LINE_END);
    } else {
      pending.addAll(sharedBytes);
    }
    pump();
  }

  @Override
  public void flush() {
    peer.flushSoon();
  }

  @Override
  public void finish() {
    if (isOver() || ended) {
      return;
    }
    ended = true;
    if (webSocket != null) {
      pending.add(WebSocketFraming.CLOSE);
    } else if (chunked) {
      pending.add(Http1Answers.LAST_CHUNK);
    }
    pump();
    peer.flushSoon();
  }

  /** Passes on as much as the socket has room for. */
  void pump() {
    var source = answer == null ? pending : answer;
    long before = source.left();
    while (source.left() > 0 && peer.channel().isWritable()) {
      source.copyTo(peer.out(), (int) Math.min(source.left(), TURN));
    }
    count(before - source.left(), isOver() ? 0 : source.left());
    if (source.left() > 0) {
      return;
    }
    if (ended) {
      if (!isOver()) {
        completed();
        session.done(this);
      }
    } else if (waitsForWritable && peer.channel().isWritable()) {
      waitsForWritable = false;
      becameWritable();
    }
  }

  /** Counts the bytes that wait for the socket, if there are or were any. */
  private void count(long sent, long now) {
    long before = writeProgress.waiting();
    if (before != now) {
      peer.waits(now - before);
    }
    if (before > 0 || now > 0) {
      writeProgress.queued(now + sent - before);
      writeProgress.taken(sent);
    }
  }

  @Override
  protected boolean hasUnread() {
    return writeProgress.waiting() > 0;
  }

  /** Whether the client reads its response too slowly. */
  boolean isTooSlow(long now) {
    return peer.isTooSlow(writeProgress, now);
  }

  /** The connection is closed. */
  void gone() {
    count(writeProgress.waiting(), 0);
    clientGone();
  }

  @Override
  public boolean writable() {
    if (isOver() || ended) {
      return false;
    }
    boolean writable = pending.left() < STREAM_PENDING && peer.channel().isWritable();
    waitsForWritable |= !writable;
    return writable;
  }

  @Override
  protected void cutOff() {
    peer.channel().close();
  }

  @Override
  public String method() {
    return request.method().name();
  }

  @Override
  public String path() {
    return request.path();
  }

  @Override
  public String query() {
    return request.query();
  }

  @Override
  public @Nullable String header(String name) {
    return request.headers().get(name);
  }

  @Override
  public boolean hasHeaderPrefix(String prefix) {
    return request.hasHeaderPrefix(prefix);
  }

  @Override
  public List<Map.Entry<String, String>> headers() {
    return request.allHeaders();
  }

  @Override
  public List<String> headers(String name) {
    return request.headers().getAll(name);
  }
}
