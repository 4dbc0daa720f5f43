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
 * One request on its way: what came in, who sent it, and what is collected for its answer. Used by
 * one thread at a time; answered exactly once.
 */
public final class Request {
  private static final Logger LOG = LoggerFactory.getLogger(Request.class);

  /** The status that nobody sees, for the metrics. */
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

  /** Whoever takes requests in. */
  public interface Owner {
    /** In which forms it answers. */
    SupportedMediaTypes offer();

    /** Sees every answer, for metrics and limits. */
    void answered(Request request, int status, long length);

    /** Finds out anew who answers. For any thread. */
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
   * Finds out anew who answers, with the types of a newer snapshot; what was said so far is
   * forgotten. For any thread.
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

  /** Until when it must be answered, unless the answer is a stream. */
  public Deadline deadline() {
    return deadline;
  }

  /** The client itself wants its answer by then. */
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

  /** What the audit log is told; null when that is nothing. */
  public @Nullable RequestAudit audit() {
    return audit;
  }

  public void audit(@Nullable RequestAudit told) {
    this.audit = told;
  }

  /** What the audit log says beside. */
  public AuditAnnotations annotations() {
    return audit == null ? AuditAnnotations.IGNORED : audit.annotations();
  }

  /** What allows it; null until that is decided. */
  public @Nullable RequestAuthorization authorization() {
    return authorization;
  }

  public void authorization(RequestAuthorization decided) {
    this.authorization = decided;
  }

  /** What it wants, and who wants it. */
  public Attributes attributes() {
    var known = attributes;
    if (known == null) {
      known = RequestAttributes.of(user, info, query);
      attributes = known;
    }
    return known;
  }

  /** What it holds while it runs. */
  public Seat seat() {
    return seat;
  }

  public void seat(Seat taken) {
    seat = taken;
  }

  /** Whether browsers are kept from guessing what a failure is. */
  public void noSniff(boolean kept) {
    unsniffed = kept;
  }

  /** The first header of that lower-case name, or "". */
  public String header(String name) {
    var value = exchange.header(name);
    return value == null ? "" : value;
  }

  /** Answers with what is no object of the request's resource, in the form that was asked for. */
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

  /** Whether JSON that is no object of a resource is put on lines. */
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
   * Makes the answer on the threads for what takes long, when there is room for it. When the client
   * has gone by then nothing is made.
   */
  public void make(Runnable task) {
    seat.waits();
    exchange.make(() -> attempt(task));
  }

  /** Goes on with the request on the threads for what takes long, unless the client has gone. */
  public void runOnCpuPool(Runnable task) {
    seat.waits();
    exchange.runOnCpuPool(() -> attempt(task));
  }

  /** Runs that on a thread of its own, for it waits for somebody else. */
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

  /** Runs what may wait for others, and does not need its seat while it does so for long. */
  public void withSeat(Runnable task) {
    OutboundWait.during(seat::waitingForOthers, task);
  }

  /** Goes on with the next step, or ends the request with what went wrong in it. */
  public void step(Runnable next) {
    try {
      next.run();
    } catch (RuntimeException | Error e) {
      fail(e);
    }
  }

  /** Goes on with the request on its event loop. */
  public void onLoop(Runnable task) {
    exchange.eventLoop().execute(() -> step(task));
  }

  /**
   * Answers with a large body whose parts are made while they are sent: on the event loop when this
   * is called there, else on the threads for what takes long.
   */
  public void answer(int status, String contentType, Iterator<SharedBytes> body) {
    var parts = audit != null && info.isAboutObjects() ? audit.answer(contentType, body) : body;
    began(status);
    exchange.respond(new ServerResponse(status, headers(contentType), List.of(), true), parts);
  }

  /** Sends the client away for so many seconds. */
  public void answerTooMany(int retryAfterSeconds) {
    var later = new Header("retry-after", Integer.toString(retryAfterSeconds));
    answerText(429, "Too many requests, please try again later.\n", List.of(later));
  }

  /** Answers with plain text, which browsers are to take for nothing else. */
  public void answerText(int status, String text) {
    answerText(status, text, List.of());
  }

  /** Answers as kube-apiserver does when it cannot even tell whether a request may be answered. */
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

  /** Answers when the audit log lets it, which is nearly always at once. */
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

  /** The head of an answer that is streamed; whoever streams it tells the observer. */
  public ServerResponse head(int status, String contentType) {
    began(status);
    return new ServerResponse(status, headers(contentType), List.of(), false);
  }

  /** Tells the observer of an answer that is streamed with a head of its own. */
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

  /** Once: an answer that failed while it was made is followed by another. */
  private void observed(int status, long length) {
    if (!observed) {
      observed = true;
      owner.answered(this, status, length);
    }
  }

  /** Answers with what went wrong, or cuts off what was answered before it went wrong. */
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

  /** The headers that every answer carries. */
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
