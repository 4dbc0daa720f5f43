package dev.muster.server.nodes;

import dev.muster.access.Authorizer;
import dev.muster.model.status.ApiException;
import dev.muster.registry.Handlers;
import dev.muster.registry.connect.Destination;
import dev.muster.registry.connect.KubeletAddresses;
import dev.muster.registry.connect.Locations;
import dev.muster.registry.request.Call;
import dev.muster.registry.types.SnapshotView;
import dev.muster.server.http.Header;
import dev.muster.server.http.HttpAnswer;
import dev.muster.server.proxy.ProxyPlaces;
import dev.muster.server.request.Permission;
import dev.muster.server.request.Request;
import dev.muster.wire.Negotiated;
import java.util.List;
import java.util.concurrent.Executor;

/**
 * Answers subresources that lead to a node or to something that runs on one. Each request runs on a
 * virtual thread of its own, where it may wait for the other side.
 */
public final class ConnectRoutes {
  private final Handlers handlers;
  private final Executor threads;
  private final Forwarding forwarding;
  private final NodeStreams streams;
  private final ProxyPlaces places;
  private final KubeletAddresses kubelets;
  private final Authorizer authorizer;

  public ConnectRoutes(
      Handlers handlers,
      Executor threads,
      Forwarding forwarding,
      NodeStreams streams,
      ProxyPlaces places,
      KubeletAddresses kubelets,
      Authorizer authorizer) {
    this.handlers = handlers;
    this.threads = threads;
    this.forwarding = forwarding;
    this.streams = streams;
    this.places = places;
    this.kubelets = kubelets;
    this.authorizer = authorizer;
  }

  /**
   * @throws ApiException 429 when too many are under way
   */
  public void answer(Request request, Call call) {
    var place = places.take(request.user());
    threads.execute(
        () -> {
          try (place) {
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
    var latest = handlers.latest(call.deadline());
    call.permission().in(latest);
    var cluster = new SnapshotView(latest);
    var admitted =
        call.subresource().equals("log")
            ? call
            : ConnectAdmission.admitted(
                handlers.context().admission(), call, request.info().rest(), cluster);
    var locations = new Locations(cluster, admitted, kubelets);
    switch (call.subresource()) {
      case "log" -> log(request, locations);
      case "portforward" -> {
        Permission.toCreate(authorizer, call);
        streams.ports(request, locations.portForward());
      }
      case "proxy" -> proxy(request, proxied(call, locations));
      default -> {
        Permission.toCreate(authorizer, call);
        streams.command(request, locations.stream());
      }
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

  private static Destination proxied(Call call, Locations locations) {
    return switch (call.type().plural()) {
      case "nodes" -> locations.nodeProxy();
      case "services" -> locations.serviceProxy();
      default -> locations.podProxy();
    };
  }

  private void proxy(Request request, Destination destination) {
    var target = forwarding.proxied(destination);
    var exchange = request.exchange();
    var rest = request.info().rest();
    var query = exchange.query();
    if (rest.isEmpty() && List.of("GET", "HEAD").contains(exchange.method())) {
      var headers = request.headers("text/plain");
      var directory = destination.withPath(request.info().path() + "/", query).requestTarget();
      headers.add(new Header("location", directory));
      request.answer(new HttpAnswer(301, headers, List.of(), false));
      return;
    }
    forwarding.proxy(request, target.withPath(rest, query));
  }
}
