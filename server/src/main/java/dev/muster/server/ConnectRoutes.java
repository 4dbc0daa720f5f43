package dev.muster.server;

import dev.muster.access.Authorizer;
import dev.muster.model.ApiException;
import dev.muster.model.Reason;
import dev.muster.registry.Call;
import dev.muster.registry.Handlers;
import dev.muster.registry.admission.SnapshotView;
import dev.muster.registry.connect.Destination;
import dev.muster.registry.connect.Locations;
import dev.muster.server.http.HttpAnswer;
import dev.muster.server.http.HttpAnswer.Header;
import dev.muster.wire.Negotiated;
import java.util.List;
import java.util.concurrent.Executor;

/**
 * Answers subresources that lead to a node or to something that runs on one. Each request runs on a
 * virtual thread of its own, where it may wait for the other side.
 */
final class ConnectRoutes {
  private final Handlers handlers;
  private final Executor threads;
  private final Forwarding forwarding;
  private final Authorizer authorizer;

  ConnectRoutes(Handlers handlers, Executor threads, Forwarding forwarding, Authorizer authorizer) {
    this.authorizer = authorizer;
    this.handlers = handlers;
    this.threads = threads;
    this.forwarding = forwarding;
  }

  void answer(Request request, Call call) {
    threads.execute(
        () -> {
          try {
            connect(request, call);
          } catch (RuntimeException | Error e) {
            request.fail(e);
          }
        });
  }

  private void connect(Request request, Call call) {
    if (!call.subresource().equals("log") && request.query().has("dryRun")) {
      throw ApiException.badRequest("dryRun is not supported");
    }
    var locations = new Locations(new SnapshotView(handlers.latest(call.deadline())), call);
    switch (call.subresource()) {
      case "log" -> log(request, locations);
      case "portforward" -> {
        Permission.toCreate(authorizer, call);
        upgrade(request, locations.portForward());
      }
      case "proxy" -> proxy(request, proxied(call, locations));
      default -> {
        Permission.toCreate(authorizer, call);
        run(request, locations.stream());
      }
    }
  }

  /** Commands over WebSockets are connected before anybody looks for the kubelet. */
  private static void run(Request request, Destination destination) {
    if (!CommandChannels.wanted(request)) {
      upgrade(request, destination);
      return;
    }
    try {
      Dial.once(destination);
      CommandChannels.refuse(request, unsupported(destination));
    } catch (Dial.Failed failed) {
      CommandChannels.refuse(
          request, "error sending request: Post \"" + destination + "\": " + failed.text());
    }
  }

  private void log(Request request, Locations locations) {
    Negotiated.requireLog(request.header("accept"));
    var destination = locations.log();
    if (destination == null) {
      request.answer(new HttpAnswer(204, request.headers("text/plain"), List.of(), false));
      return;
    }
    forwarding.log(request, destination);
  }

  private static void upgrade(Request request, Destination destination) {
    if (!request.header("connection").toLowerCase(java.util.Locale.ROOT).contains("upgrade")) {
      throw ApiException.badRequest("Upgrade request required");
    }
    try {
      Dial.once(destination);
    } catch (Dial.Failed failed) {
      throw new ApiException(Reason.UNKNOWN, "error dialing backend: " + failed.text());
    }
    throw new ApiException(Reason.UNKNOWN, unsupported(destination));
  }

  private static String unsupported(Destination destination) {
    return "streams to the kubelet at " + destination.authority() + " are not supported";
  }

  private static Destination proxied(Call call, Locations locations) {
    return switch (call.type().plural()) {
      case "nodes" -> locations.nodeProxy();
      case "services" -> locations.serviceProxy();
      default -> locations.podProxy();
    };
  }

  private void proxy(Request request, Destination destination) {
    var exchange = request.exchange();
    var path = exchange.path();
    int start = path.indexOf("/proxy", path.lastIndexOf(request.info().name())) + "/proxy".length();
    var rest = path.substring(Math.min(start, path.length()));
    var query = exchange.query();
    if (rest.isEmpty() && List.of("GET", "HEAD").contains(exchange.method())) {
      var headers = request.headers("text/plain");
      headers.add(new Header("location", path + "/" + (query.isEmpty() ? "" : "?" + query)));
      request.answer(new HttpAnswer(301, headers, List.of(), false));
      return;
    }
    forwarding.proxy(request, destination.withPath(rest, query));
  }
}
