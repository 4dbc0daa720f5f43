package dev.muster.server.proxy;

import dev.muster.http.Header;
import dev.muster.http.ServerResponse;
import dev.muster.server.request.Request;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Forwards requests to other API servers and returns their responses. */
public final class PassedRequests {
  private static final byte[] NOTHING = {};
  private static final String REDIRECTED =
      "the backend attempted to redirect this request, which is not permitted";

  private final Executor threads;
  private final ProxyTimeouts timeouts;
  private final boolean rejectsRedirects;

  public PassedRequests(Executor threads, ProxyTimeouts timeouts, boolean rejectsRedirects) {
    this.threads = threads;
    this.timeouts = timeouts;
    this.rejectsRedirects = rejectsRedirects;
  }

  /**
   * Forwards the request and returns the response; the calling virtual thread blocks meanwhile.
   *
   * @param call not connected yet
   * @param upload of the body, if there is one
   * @return the status of the other server's response
   */
  public int answer(Request request, BackendCall call, List<Header> headers, Upload upload)
      throws BackendException {
    var exchange = request.exchange();
    boolean isLong = isLong(request);
    var patience = isLong ? timeouts.idle() : left(request);
    Future<?> watchdog =
        exchange.eventLoop().schedule(call::cancel, patience.toNanos(), TimeUnit.NANOSECONDS);
    try {
      call.connect();
      var protocol = UpgradeRequest.protocol(exchange);
      if (!protocol.isEmpty()) {
        return switchTo(protocol, request, call, headers, watchdog);
      }
      var response = response(request, call, headers, upload, patience);
      if (isLong) {
        watchdog.cancel(false);
      }
      if (rejectsRedirects && isRedirect(response)) {
        request.answer(
            502, "text/plain; charset=utf-8", REDIRECTED.getBytes(StandardCharsets.UTF_8));
      } else {
        passBack(request, call, response);
      }
      return response.status();
    } finally {
      watchdog.cancel(false);
    }
  }

  private BackendResponse response(
      Request request, BackendCall call, List<Header> headers, Upload upload, Duration patience)
      throws BackendException {
    var exchange = request.exchange();
    var sent = new BackendRequest(exchange.method(), headers, NOTHING);
    if (!exchange.hasBody()) {
      return call.send(sent, patience);
    }
    call.begin(sent, length(exchange.header("content-length")));
    threads.execute(() -> upload.run(call, true));
    return call.head(patience);
  }

  /** The length of the body, or -1 when the client does not state it. */
  private static long length(@Nullable String announced) {
    return announced != null && announced.matches("[0-9]{1,18}") ? Long.parseLong(announced) : -1;
  }

  private static void passBack(Request request, BackendCall call, BackendResponse response) {
    var returned = new ArrayList<Header>();
    returned.add(new Header("audit-id", request.auditId()));
    returned.addAll(request.seat().headers());
    returned.addAll(ProxyHeaders.returned(response));
    new Relay(request, call)
        .stream(new ServerResponse(response.status(), returned, List.of(), false));
  }

  /**
   * Switches protocols. If the other server does not agree, its error response is passed on, and
   * any other response becomes a 503.
   *
   * @param watchdog cancels a switch that takes too long
   */
  private int switchTo(
      String protocol, Request request, BackendCall call, List<Header> headers, Future<?> watchdog)
      throws BackendException {
    var exchange = request.exchange();
    var asked = new BackendRequest(exchange.method(), headers, NOTHING);
    var response = call.upgrade(asked, protocol, timeouts.handshake());
    if (response.status() == 101) {
      watchdog.cancel(false);
      new Tunnel(request, call, threads).open(UpgradeRequest.agreed(response));
    } else if (response.status() >= 400) {
      passBack(request, call, response);
    } else {
      request.answerText(503, "invalid upgrade response: status code " + response.status() + "\n");
    }
    return response.status();
  }

  /** Whether the request may last as long as either side wants. */
  public static boolean isLong(Request request) {
    return request.info().isLong() || !UpgradeRequest.protocol(request.exchange()).isEmpty();
  }

  private static Duration left(Request request) {
    return Duration.ofNanos(Math.max(1, request.deadline().remainingNanos()));
  }

  private static boolean isRedirect(BackendResponse response) {
    return response.status() / 100 == 3
        && response.headers().stream()
            .anyMatch(header -> header.name().equals("location") && !header.value().isEmpty());
  }
}
