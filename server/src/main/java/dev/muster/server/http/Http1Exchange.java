package dev.muster.server.http;

import dev.muster.server.http.Http1Answers.Framing;
import dev.muster.server.http.Http1Answers.Persistence;
import io.netty.handler.codec.http.DefaultHttpRequest;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Owned by its connection's event loop: one HTTP/1.1 request and its answer. */
final class Http1Exchange extends Exchange {
  private static final int TURN = Outbound.BLOCK;
  private static final String CONTINUE = "100-continue";

  private final Http1Session session;
  private final HttpRequest request;
  private final String target;
  private final int question;
  private final boolean http11;
  private final Pieces pending = new Pieces();
  private @Nullable Pieces answer;
  private boolean chunked;
  private @Nullable WebSocketFraming webSocket;
  private boolean ended;
  private boolean closeAfter;
  private boolean linger;
  private boolean invited;
  private boolean requestEnded;
  private boolean waitsForWritable;
  private final Drain drain = new Drain();

  Http1Exchange(Http1Session session, HttpRequest request) {
    super(session.peer, session.serving);
    this.session = session;
    this.request = request;
    this.target = originForm(request.uri());
    this.question = target.indexOf('?');
    this.http11 = request.protocolVersion().minorVersion() > 0;
    this.closeAfter = !HttpUtil.isKeepAlive(request);
  }

  /** Stands for a request that could not even be parsed. */
  static Http1Exchange unreadable(Http1Session session) {
    return new Http1Exchange(
        session, new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, "/"));
  }

  /** RFC 9112, 3.2.2: a server must accept a whole URL in place of a path. */
  private static String originForm(String uri) {
    if (uri.startsWith("/")) {
      return uri;
    }
    int scheme = uri.indexOf("://");
    if (scheme < 0) {
      return uri;
    }
    int path = uri.indexOf('/', scheme + 3);
    return path < 0 ? "/" : uri.substring(path);
  }

  /** RFC 9110, 2.5: of a version with the same first number, what we know of it counts. */
  boolean hasUnknownVersion() {
    return isHttp() && request.protocolVersion().majorVersion() != 1;
  }

  boolean wellFormed() {
    return isHttp() && (!http11 || request.headers().getAll(HttpHeaderNames.HOST).size() == 1);
  }

  private boolean isHttp() {
    return request.protocolVersion().protocolName().equals("HTTP");
  }

  /** The client has sent all of it. */
  void endRequest() {
    requestEnded = true;
  }

  boolean requestEnded() {
    return requestEnded;
  }

  /** Whether the rest of the request follows its head. */
  boolean announcesBody() {
    return announced() > 0 || HttpUtil.isTransferEncodingChunked(request);
  }

  /** The content-length, or -1. */
  long announced() {
    return HttpUtil.getContentLength(request, -1L);
  }

  boolean hasOtherExpectation() {
    var expect = header("expect");
    return expect != null && !expect.equalsIgnoreCase(CONTINUE);
  }

  @Override
  void invite() {
    if (CONTINUE.equalsIgnoreCase(header("expect"))) {
      invited = true;
      Http1Answers.sendContinue(peer.out);
      peer.flushSoon();
    }
  }

  /** Whether it cannot be known what the client sends next, once this is answered. */
  private boolean leavesDoubt() {
    var incoming = intake();
    return incoming != null
        && !incoming.ended()
        && (incoming.hasMuchLeft() || (header("expect") != null && !invited));
  }

  @Override
  void abandonRequest() {
    peer.channel.close();
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
  void sendAnswer(HttpAnswer whole) {
    boolean bodyless = whole.status() == 204 || whole.status() == 304;
    Http1Answers.head(
        peer.out,
        whole,
        bodyless ? new Framing.None() : new Framing.Length(whole.length()),
        persistence());
    ended = true;
    if (!bodyless && !request.method().equals(HttpMethod.HEAD)) {
      answer = new Pieces(whole.body());
    }
    pump();
    peer.flushSoon();
  }

  @Override
  void sendHead(HttpAnswer head) {
    chunked = http11;
    closeAfter |= !chunked;
    Http1Answers.head(
        peer.out, head, chunked ? new Framing.Chunks() : new Framing.None(), persistence());
    peer.flushSoon();
  }

  @Override
  public boolean wantsWebSocket() {
    return http11 && !hasBody() && WebSocketFraming.wanted(request.method(), request.headers());
  }

  @Override
  public HttpStream webSocket(List<HttpAnswer.Header> headers, boolean text) {
    return webSocket(headers, new WebSocketFraming(text), null);
  }

  @Override
  public HttpStream webSocket(List<HttpAnswer.Header> headers, InputConsumer messages) {
    return webSocket(headers, new WebSocketFraming(false), new HandedInput(this, messages));
  }

  private HttpStream webSocket(
      List<HttpAnswer.Header> headers, WebSocketFraming framing, @Nullable HandedInput messages) {
    if (!wantsWebSocket()) {
      throw new UnsupportedOperationException("the client did not ask for a WebSocket");
    }
    return streamAfter(
        () -> {
          Http1Answers.switchProtocols(
              peer.out, WebSocketFraming.answerHeaders(request.headers(), headers));
          webSocket = framing;
          closeAfter = true;
          session.becomeWebSocket(this, messages);
          peer.flushSoon();
        });
  }

  @Override
  public boolean canSwitchProtocols() {
    return http11 && !hasBody();
  }

  @Override
  public HttpStream switchProtocols(List<HttpAnswer.Header> headers, InputConsumer consumer) {
    return streamAfter(
        () -> {
          Http1Answers.switchProtocols(peer.out, headers);
          closeAfter = true;
          session.becomeTunnel(new HandedInput(this, consumer));
          peer.flushSoon();
        });
  }

  @Override
  void inputTaken(int bytes) {
    // The socket's own buffer is the window.
  }

  @Override
  void pauseInput(boolean pause) {
    session.pauseInput(pause);
  }

  /** Answers a ping, unless there is too much to send already. */
  void pong(byte[] payload) {
    if (!over() && !ended && pending.left() < STREAM_PENDING) {
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
    return http11 ? Persistence.IMPLIED : Persistence.KEEP_ALIVE;
  }

  @Override
  public void write(byte[] piece) {
    write(Pieces.of(piece));
  }

  @Override
  public void write(Pieces pieces) {
    long length = pieces.left();
    if (over() || ended || length == 0) {
      return;
    }
    if (webSocket != null) {
      pending.add(webSocket.messageHeader((int) length));
      pending.addAll(pieces);
    } else if (chunked) {
      pending.add(Http1Answers.chunkHeader((int) length));
      pending.addAll(pieces);
      pending.add(Http1Answers.LINE_END);
    } else {
      pending.addAll(pieces);
    }
    pump();
  }

  @Override
  public void flush() {
    peer.flushSoon();
  }

  @Override
  public void finish() {
    if (over() || ended) {
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

  /** Hands on what the socket has room for. */
  void pump() {
    var source = answer == null ? pending : answer;
    long before = source.left();
    while (source.left() > 0 && peer.channel.isWritable()) {
      source.copyTo(peer.out, (int) Math.min(source.left(), TURN));
    }
    count(before - source.left(), over() ? 0 : source.left());
    if (source.left() > 0) {
      return;
    }
    if (ended) {
      if (!over()) {
        completed();
        session.done(this);
      }
    } else if (waitsForWritable && peer.channel.isWritable()) {
      waitsForWritable = false;
      becameWritable();
    }
  }

  /** Counts the bytes that wait for the socket, when there are or were any. */
  private void count(long sent, long now) {
    long before = drain.waiting();
    if (before != now) {
      peer.waits(now - before);
    }
    if (before > 0 || now > 0) {
      drain.queued(now + sent - before);
      drain.taken(sent);
    }
  }

  @Override
  boolean hasUnread() {
    return drain.waiting() > 0;
  }

  /** Whether the client takes its answer too slowly. */
  boolean isTooSlow(long now) {
    return peer.isTooSlow(drain, now);
  }

  /** The connection is closed. */
  void gone() {
    count(drain.waiting(), 0);
    clientGone();
  }

  @Override
  public boolean writable() {
    if (over() || ended) {
      return false;
    }
    boolean writable = pending.left() < STREAM_PENDING && peer.channel.isWritable();
    waitsForWritable |= !writable;
    return writable;
  }

  @Override
  void cutOff() {
    peer.channel.close();
  }

  @Override
  public String method() {
    return request.method().name();
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
    return request.headers().get(name);
  }

  @Override
  public boolean hasHeaderPrefix(String prefix) {
    for (var header : request.headers()) {
      if (header.getKey().regionMatches(true, 0, prefix, 0, prefix.length())) {
        return true;
      }
    }
    return false;
  }

  @Override
  public List<Map.Entry<String, String>> headers() {
    var all = new ArrayList<Map.Entry<String, String>>();
    for (var header : request.headers()) {
      all.add(Map.entry(header.getKey().toLowerCase(Locale.ROOT), header.getValue()));
    }
    return all;
  }

  @Override
  public List<String> headers(String name) {
    return request.headers().getAll(name);
  }
}
