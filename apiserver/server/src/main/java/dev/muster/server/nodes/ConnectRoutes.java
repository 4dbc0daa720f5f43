package dev.muster.server.nodes;

import dev.muster.authorization.Authorizer;
import dev.muster.http.Header;
import dev.muster.http.ServerResponse;
import dev.muster.model.status.ApiException;
import dev.muster.registry.Handlers;
import dev.muster.registry.connect.Destination;
import dev.muster.registry.connect.KubeletAddresses;
import dev.muster.registry.connect.ResourceLocator;
import dev.muster.registry.request.ResourceRequest;
import dev.muster.server.proxy.ProxyConcurrencyLimit;
import dev.muster.server.request.Permission;
import dev.muster.server.request.Request;
import dev.muster.types.SnapshotView;
import dev.muster.wire.NegotiatedMediaType;
import java.util.List;
import java.util.concurrent.Executor;

/**
 * Answers subresources that connect to a node or to a pod or Service. Each request runs on a
 * virtual thread of its own, where it may block.
 */
public final class ConnectRoutes {
  private final Handlers handlers;
  private final Executor threads;
  private final Forwarding forwarding;
  private final NodeStreams streams;
  private final ProxyConcurrencyLimit places;
  private final KubeletAddresses kubelets;
  private final Authorizer authorizer;

  public ConnectRoutes(
      Handlers handlers,
      Executor threads,
      Forwarding forwarding,
      NodeStreams streams,
      ProxyConcurrencyLimit places,
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
   * @throws ApiException 429 when too many such requests are running
   */
  public void answer(Request request, ResourceRequest resourceRequest) {
    var place = places.take(request.user());
    threads.execute(
        () -> {
          try (place) {
            connect(request, resourceRequest);
          } catch (RuntimeException | Error e) {
            request.fail(e);
          }
        });
  }

  private void connect(Request request, ResourceRequest resourceRequest) {
    if (!resourceRequest.subresource().equals("log") && request.query().has("dryRun")) {
      throw ApiException.badRequest("dryRun is not supported");
    }
    var latest = handlers.latest(resourceRequest.deadline());
    resourceRequest.permission().in(latest);
    var cluster = new SnapshotView(latest);
    var admitted =
        resourceRequest.subresource().equals("log")
            ? resourceRequest
            : ConnectAdmission.admitted(
                handlers.context().admission(), resourceRequest, request.info().rest(), cluster);
    var resourceLocator = new ResourceLocator(cluster, admitted, kubelets);
    switch (resourceRequest.subresource()) {
      case "log" -> log(request, resourceLocator);
      case "portforward" -> {
        Permission.toCreate(authorizer, resourceRequest);
        streams.ports(request, resourceLocator.portForward());
      }
      case "proxy" -> proxy(request, proxied(resourceRequest, resourceLocator));
      default -> {
        Permission.toCreate(authorizer, resourceRequest);
        streams.command(request, resourceLocator.stream());
      }
    }
  }

  private void log(Request request, ResourceLocator resourceLocator) {
    NegotiatedMediaType.requireLog(request.header("accept"));
    var destination = resourceLocator.log();
    if (destination == null) {
      request.answer(new ServerResponse(204, request.headers("text/plain"), List.of(), false));
      return;
    }
    forwarding.log(request, destination);
  }

  private static Destination proxied(
      ResourceRequest resourceRequest, ResourceLocator resourceLocator) {
    return switch (resourceRequest.type().plural()) {
      case "nodes" -> resourceLocator.nodeProxy();
      case "services" -> resourceLocator.serviceProxy();
      default -> resourceLocator.podProxy();
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
      request.answer(new ServerResponse(301, headers, List.of(), false));
      return;
    }
    forwarding.proxy(request, target.withPath(rest, query));
  }
}
