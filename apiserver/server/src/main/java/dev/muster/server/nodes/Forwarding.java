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
 * Passes requests on to kubelets, pods and services and streams their answers back. Called on
 * virtual threads, blocks them. A client that goes away takes its connection to the backend with
 * it, whatever that is doing.
 */
public final class Forwarding {
  /** How much of a kubelet's complaint is told. */
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

  /** The target of a connection that no user chose the address of. */
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

  /** What a kubelet says about why not. */
  static String complaint(BackendCall call) {
    var text = new ByteArrayOutputStream();
    try {
      for (var piece = call.next(); piece != null && text.size() < COMPLAINT; piece = call.next()) {
        text.writeBytes(piece);
      }
    } catch (BackendException e) {
      // What there is of it is told.
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
   * Where a request on behalf of a user goes to.
   *
   * @throws ApiException 400 when users may not go there
   */
  Target proxied(Destination destination) {
    try {
      return backends.resolve(destination).requireProxyable();
    } catch (BackendException e) {
      throw ApiException.badRequest(e.text());
    }
  }

  /** Passes a whole request on. */
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
   * A connection to a kubelet, not opened yet, that ends with the client's.
   *
   * @throws BackendException when its name is not known
   */
  BackendCall kubelet(Request request, Destination destination) throws BackendException {
    return call(request, resolved(destination));
  }
}
