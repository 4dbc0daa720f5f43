package dev.muster.server.nodes;

import dev.muster.http.Header;
import dev.muster.http.ServerResponse;
import dev.muster.model.status.ApiException;
import dev.muster.model.status.Reason;
import dev.muster.registry.connect.Destination;
import dev.muster.server.proxy.BackendCall;
import dev.muster.server.proxy.BackendException;
import dev.muster.server.proxy.BackendRequest;
import dev.muster.server.proxy.BackendResponse;
import dev.muster.server.proxy.Backends;
import dev.muster.server.proxy.ProxyHeaders;
import dev.muster.server.proxy.ProxyTimeouts;
import dev.muster.server.proxy.Relay;
import dev.muster.server.proxy.RewrittenLocation;
import dev.muster.server.proxy.Target;
import dev.muster.server.request.Request;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Forwards requests to kubelets, pods and Services, and streams their responses back. Virtual
 * threads call it, and it blocks them. When the client goes away, its connection to the backend is
 * closed.
 */
public final class Forwarding {
  /** The longest error text of a kubelet that a client receives. */
  private static final int COMPLAINT = 2048;

  private final Backends backends;
  private final ProxyTimeouts timeouts;

  public Forwarding(Backends backends, ProxyTimeouts timeouts) {
    this.backends = backends;
    this.timeouts = timeouts;
  }

  /** Streams a container's log. */
  void log(Request request, Destination destination) {
    try (var call = call(request, resolved(destination))) {
      call.connect();
      var patience = request.query().isTrue("follow") ? timeouts.idle() : timeouts.head();
      var response = call.send(BackendRequest.get(destination.authority()), patience);
      if (response.status() / 100 != 2) {
        throw refused(response, complaint(call), request.info().name());
      }
      var head = new ServerResponse(200, request.headers("text/plain"), List.of(), false);
      new Relay(request, call).stream(head);
    } catch (BackendException e) {
      throw new ApiException(Reason.UNKNOWN, "Get \"" + destination + "\": " + e.text());
    }
  }

  /** The target of a connection whose address no user has chosen. */
  private Target resolved(Destination destination) throws BackendException {
    try {
      return backends.resolve(destination);
    } catch (BackendException e) {
      throw new BackendException("dial tcp: " + e.text());
    }
  }

  private BackendCall call(Request request, Target target) {
    var call = backends.call(target);
    request.exchange().onCancel(call::cancel);
    return call;
  }

  /** The error text of a kubelet. */
  static String complaint(BackendCall call) {
    var text = new ByteArrayOutputStream();
    try {
      for (var piece = call.next(); piece != null && text.size() < COMPLAINT; piece = call.next()) {
        text.writeBytes(piece);
      }
    } catch (BackendException e) {
      // The text received so far is used.
    }
    var told = text.toByteArray();
    return new String(told, 0, Math.min(told.length, COMPLAINT), StandardCharsets.UTF_8).strip();
  }

  private static ApiException refused(BackendResponse response, String text, String name) {
    return switch (response.status()) {
      case 400 -> ApiException.badRequest(text);
      case 404 ->
          new ApiException(
              Reason.NOT_FOUND,
              "the server could not find the requested resource ( pods/log " + name + ")");
      default ->
          new ApiException(
              Reason.INTERNAL_ERROR,
              "an error on the server (\""
                  + text
                  + "\") has prevented the request from succeeding ( pods/log "
                  + name
                  + ")");
    };
  }

  /**
   * The target of a request that a user proxies.
   *
   * @throws ApiException 400 when users may not connect to it
   */
  Target proxied(Destination destination) {
    try {
      return backends.resolve(destination).requireProxyable();
    } catch (BackendException e) {
      throw ApiException.badRequest(e.text());
    }
  }

  /** Forwards a whole request. */
  void proxy(Request request, Target target) {
    var exchange = request.exchange();
    var destination = target.destination();
    var below = request.info().head();
    var host = destination.urlAuthority();
    var headers = ProxyHeaders.forwarded(exchange, host, below + destination.path());
    try (var call = call(request, target)) {
      call.connect();
      var response =
          call.send(
              new BackendRequest(exchange.method(), headers, exchange.body()), timeouts.head());
      var answer = new ArrayList<Header>();
      answer.add(new Header("audit-id", request.auditId()));
      for (var header : ProxyHeaders.returned(response)) {
        answer.add(
            header.name().equals("location")
                ? new Header(
                    "location",
                    RewrittenLocation.of(header.value(), host, request.header("host"), below))
                : header);
      }
      new Relay(request, call)
          .stream(new ServerResponse(response.status(), answer, List.of(), false));
    } catch (BackendException e) {
      throw new ApiException(
          Reason.SERVICE_UNAVAILABLE, "error trying to reach service: " + e.text());
    }
  }

  /**
   * A connection to a kubelet, not opened yet, that ends with the client's connection.
   *
   * @throws BackendException when its name is unknown
   */
  BackendCall kubelet(Request request, Destination destination) throws BackendException {
    return call(request, resolved(destination));
  }
}
