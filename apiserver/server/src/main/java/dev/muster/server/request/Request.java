package dev.muster.server.request;

import dev.muster.authorization.Attributes;
import dev.muster.http.Header;
import dev.muster.http.HttpExchange;
import dev.muster.http.ServerResponse;
import dev.muster.http.SharedBytes;
import dev.muster.http.SharedHeaders;
import dev.muster.model.User;
import dev.muster.model.gocompat.GoText;
import dev.muster.model.json.JsonObject;
import dev.muster.registry.commit.AuditAnnotations;
import dev.muster.registry.commit.Deadline;
import dev.muster.server.answer.PlainEncoding;
import dev.muster.server.answer.StatusBody;
import dev.muster.server.audit.RequestAudit;
import dev.muster.types.options.Query;
import dev.muster.types.scheduling.OutboundWait;
import dev.muster.wire.NegotiatedMediaType;
import dev.muster.wire.SupportedMediaTypes;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One request on its way through the chain: the HTTP exchange, the user, and what is collected for
 * the response. One thread at a time uses it. It is answered exactly once.
 */
public final class Request {
  private static final Logger LOG = LoggerFactory.getLogger(Request.class);

  /** The status in the metrics of a request whose client has gone. No client receives it. */
  private static final int CLIENT_GONE = 499;

  private static final Header NO_CACHE = Header.shared("cache-control", "no-cache, private");
  private static final SharedHeaders CONTENT_TYPES = new SharedHeaders("content-type");

  private final HttpExchange exchange;
  private final RequestInfo info;
  private final Query query;
  private final String auditId;
  private final long started;
  private final Owner owner;
  private Deadline deadline;
  private User user = User.ANONYMOUS;
  private @Nullable RequestAuthorization authorization;
  private @Nullable Warnings warnings;
  private @Nullable RequestAudit audit;
  private @Nullable Attributes attributes;
  private Seat seat = Seat.NONE;
  private boolean unsniffed;
  private boolean observed;

  /** The request chain, as its requests see it. */
  public interface Owner {
    /** The media types in which the server answers. */
    SupportedMediaTypes offer();

    /** Records every response in metrics and limits. */
    void answered(Request request, int status, long length);

    /** Routes the request again. Any thread may call it. */
    void reroute(Request request);
  }

  public Request(
      HttpExchange exchange,
      RequestInfo info,
      Query query,
      String auditId,
      Deadline deadline,
      Owner owner) {
    this.exchange = exchange;
    this.info = info;
    this.query = query;
    this.auditId = auditId;
    this.started = System.nanoTime();
    this.deadline = deadline;
    this.owner = owner;
  }

  /**
   * Routes the request again with the types of a newer snapshot, and drops its warnings. Any thread
   * may call it.
   */
  public void reroute() {
    warnings = null;
    owner.reroute(this);
  }

  public HttpExchange exchange() {
    return exchange;
  }

  public RequestInfo info() {
    return info;
  }

  public Query query() {
    return query;
  }

  public String auditId() {
    return auditId;
  }

  /** When the request arrived, in {@link System#nanoTime}. */
  public long started() {
    return started;
  }

  /** When the request must be answered, unless the response is a stream. */
  public Deadline deadline() {
    return deadline;
  }

  /** Shortens the deadline to the time that the client wants. */
  public void deadline(Deadline wanted) {
    deadline = deadline.earlier(wanted);
  }

  public User user() {
    return user;
  }

  public void user(User authenticated) {
    this.user = authenticated;
    this.attributes = null;
  }

  /** The audit entry of the request; null when the request is not audited. */
  public @Nullable RequestAudit audit() {
    return audit;
  }

  public void audit(@Nullable RequestAudit told) {
    this.audit = told;
  }

  /** The annotations of the audit entry; without an entry they are ignored. */
  public AuditAnnotations annotations() {
    return audit == null ? AuditAnnotations.IGNORED : audit.annotations();
  }

  /** The authorization of the request; null until it is decided. */
  public @Nullable RequestAuthorization authorization() {
    return authorization;
  }

  public void authorization(RequestAuthorization decided) {
    this.authorization = decided;
  }

  /** The authorization attributes of the request. */
  public Attributes attributes() {
    var known = attributes;
    if (known == null) {
      known = RequestAttributes.of(user, info, query);
      attributes = known;
    }
    return known;
  }

  /** The seat that the request holds while it runs. */
  public Seat seat() {
    return seat;
  }

  public void seat(Seat taken) {
    seat = taken;
  }

  /** Sets whether an error response carries {@code X-Content-Type-Options: nosniff}. */
  public void noSniff(boolean kept) {
    unsniffed = kept;
  }

  /** The first header of that lower-case name, or "". */
  public String header(String name) {
    var value = exchange.header(name);
    return value == null ? "" : value;
  }

  /**
   * Answers with an object that is not of the request's resource, such as a Status, in the media
   * type that the client accepts.
   */
  public void answer(int status, JsonObject body) {
    answer(status, body, List.of());
  }

  private void answer(int status, JsonObject body, List<Header> more) {
    var form = PlainEncoding.ofError(owner.offer(), header("accept"));
    var headers = headers(form.encoding().mediaType());
    headers.addAll(more);
    var bytes = PlainEncoding.encode(form.encoding(), body, form.pretty() || isPretty());
    if (audit != null) {
      audit.answer(status, body);
    }
    answer(new ServerResponse(status, headers, List.of(bytes), false));
  }

  /** Whether JSON that is not an object of a resource is indented. */
  public boolean isPretty() {
    return NegotiatedMediaType.isPretty(query.first("pretty"), header("user-agent"))
        || header("accept").contains(";pretty=1");
  }

  public void warn(String text) {
    var collected = warnings == null ? new Warnings() : warnings;
    warnings = collected;
    collected.add(text);
  }

  public void answer(int status, String contentType, byte[] body) {
    answer(status, contentType, List.of(body));
  }

  public void answer(int status, String contentType, List<byte[]> body) {
    if (audit != null && info.isAboutObjects()) {
      audit.answer(contentType, body);
    }
    answer(new ServerResponse(status, headers(contentType), body, true));
  }

  /**
   * Produces the response on the CPU pool. The task does not run if the client has gone by then.
   */
  public void make(Runnable task) {
    seat.waits();
    exchange.make(() -> attempt(task));
  }

  /** Continues the request on the CPU pool, unless the client has gone. */
  public void runOnCpuPool(Runnable task) {
    seat.waits();
    exchange.runOnCpuPool(() -> attempt(task));
  }

  /** Runs the task on a thread of its own, because it waits for another program. */
  public void waiting(Runnable task) {
    seat.waits();
    Thread.ofVirtual().name("authorization").start(() -> attempt(task));
  }

  private void attempt(Runnable task) {
    if (exchange.isOver()) {
      observed(CLIENT_GONE, 0);
      if (audit != null) {
        audit.ended();
      }
      return;
    }
    step(() -> withSeat(task));
  }

  /**
   * Runs a task that may wait for other programs. The request releases its seat if it waits for
   * long.
   */
  public void withSeat(Runnable task) {
    OutboundWait.during(seat::waitingForOthers, task);
  }

  /** Runs the next step, and answers with the failure if the step fails. */
  public void step(Runnable next) {
    try {
      next.run();
    } catch (RuntimeException | Error e) {
      fail(e);
    }
  }

  /** Runs the next step on the event loop of the request. */
  public void onLoop(Runnable task) {
    exchange.eventLoop().execute(() -> step(task));
  }

  /**
   * Answers with a large body whose parts are produced while they are sent: on the event loop when
   * the caller runs on it, otherwise on the CPU pool.
   */
  public void answer(int status, String contentType, Iterator<SharedBytes> body) {
    var parts = audit != null && info.isAboutObjects() ? audit.answer(contentType, body) : body;
    began(status);
    exchange.respond(new ServerResponse(status, headers(contentType), List.of(), true), parts);
  }

  /** Answers 429 and asks the client to retry after that time. */
  public void answerTooMany(int retryAfterSeconds) {
    var later = new Header("retry-after", Integer.toString(retryAfterSeconds));
    answerText(429, "Too many requests, please try again later.\n", List.of(later));
  }

  /** Answers with plain text that browsers must not interpret as another type. */
  public void answerText(int status, String text) {
    answerText(status, text, List.of());
  }

  /** Answers 500 in the text format of kube-apiserver, for a request that cannot be authorized. */
  public void answerInternalError(String why) {
    var uri = info.path() + (exchange.query().isEmpty() ? "" : "?" + exchange.query());
    var text = "Internal Server Error: " + GoText.quote(uri) + ": " + why;
    answerText(500, text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;") + "\n");
  }

  private void answerText(int status, String text, List<Header> more) {
    var headers = headers("text/plain; charset=utf-8");
    headers.addAll(more);
    headers.add(new Header("x-content-type-options", "nosniff"));
    answer(
        new ServerResponse(status, headers, List.of(text.getBytes(StandardCharsets.UTF_8)), false));
  }

  /** Sends the response after the audit log has accepted it, which is nearly always at once. */
  public void answer(ServerResponse answer) {
    var told = audit == null ? null : audit.complete(answer.status());
    if (told == null || told.isDone()) {
      send(answer);
    } else {
      seat.waits();
      told.whenComplete((taken, failure) -> send(answer));
    }
  }

  private void send(ServerResponse answer) {
    observed(answer.status(), answer.length());
    exchange.respond(answer);
  }

  /** The head of a streamed response. It also records the response in the metrics. */
  public ServerResponse head(int status, String contentType) {
    began(status);
    return new ServerResponse(status, headers(contentType), List.of(), false);
  }

  /** Records a streamed response whose head the caller creates. */
  public void observed(int status) {
    began(status);
  }

  private void began(int status) {
    observed(status, 0);
    var told = audit;
    if (told != null) {
      told.started(status);
      exchange.onEnd(told::ended);
    }
  }

  /**
   * Records only the first response: a response that fails while it is produced is followed by
   * another.
   */
  private void observed(int status, long length) {
    if (!observed) {
      observed = true;
      owner.answered(this, status, length);
    }
  }

  /** Answers with the failure. If the response has begun, this cuts it off. */
  public void fail(Throwable failure) {
    seat.watchInitialised();
    try {
      var answer = FailureTranslation.of(failure, this);
      answer(answer.code(), StatusBody.of(answer), FailureTranslation.headers(answer, unsniffed));
    } catch (RuntimeException | Error e) {
      LOG.error("{} {} cannot be answered, audit ID {}", info.verb(), info.path(), auditId, e);
      observed(500, 0);
      if (audit != null) {
        audit.ended();
      }
      exchange.abort();
    }
  }

  /** The headers that every response carries. */
  public List<Header> headers(String contentType) {
    var headers = new ArrayList<Header>(8);
    headers.add(new Header("audit-id", auditId));
    headers.add(NO_CACHE);
    headers.add(CONTENT_TYPES.of(contentType));
    headers.addAll(seat.headers());
    if (warnings != null) {
      headers.addAll(warnings.headers());
    }
    return headers;
  }
}
