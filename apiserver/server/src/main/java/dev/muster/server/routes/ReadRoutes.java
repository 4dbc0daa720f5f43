package dev.muster.server.routes;

import dev.muster.model.status.ApiException;
import dev.muster.registry.read.ListPage;
import dev.muster.registry.read.Selection;
import dev.muster.registry.request.ResourceRequest;
import dev.muster.replica.object.StoredObject;
import dev.muster.replica.snapshot.Snapshot;
import dev.muster.server.answer.ResponseEncoder;
import dev.muster.server.answer.ResponseEncoders.Kind;
import dev.muster.server.request.Request;
import dev.muster.types.options.ListOptions;

/**
 * Answers get and list. The event loop answers at once when the response is precomputed, and never
 * blocks. Requests that wait for a snapshot continue when it is available. The CPU pool produces
 * responses whose cost depends on the client's input.
 */
public final class ReadRoutes {
  private final ReadContext context;
  private final ComponentRoutes components;

  public ReadRoutes(ReadContext context, ComponentRoutes components) {
    this.context = context;
    this.components = components;
  }

  public void get(Request request, ResourceRequest resourceRequest) {
    var responseEncoder = context.representation(request, resourceRequest, Kind.OBJECT);
    if (request.query().isTrue("export")) {
      throw ApiException.badRequest(
          "the export parameter, deprecated since v1.14, is no longer supported");
    }
    if (ComponentRoutes.isFor(resourceRequest)) {
      components.get(request, resourceRequest, responseEncoder);
      return;
    }
    var wanted = context.reads().forGet(request.query().first("resourceVersion"));
    context.onSnapshot(
        request,
        resourceRequest,
        wanted,
        snapshot -> {
          var object = find(resourceRequest, snapshot);
          var type = responseEncoder.contentType();
          if (responseEncoder.isPrecomputed(object)) {
            request.answer(200, type, responseEncoder.object(object));
          } else {
            request.make(() -> request.answer(200, type, responseEncoder.parts(object)));
          }
        });
  }

  static StoredObject find(ResourceRequest resourceRequest, Snapshot snapshot) {
    var object =
        snapshot
            .collection(resourceRequest.type().storage())
            .get(resourceRequest.namespace(), resourceRequest.name());
    if (object == null) {
      resourceRequest.checkName();
      throw ApiException.notFound(resourceRequest.type().groupResource(), resourceRequest.name());
    }
    return object;
  }

  public void list(Request request, ResourceRequest resourceRequest) {
    var responseEncoder = context.representation(request, resourceRequest, Kind.LIST);
    ReadContext.select(
        request,
        resourceRequest,
        false,
        (options, selection) ->
            list(request, resourceRequest, responseEncoder, options, selection));
  }

  private void list(
      Request request,
      ResourceRequest resourceRequest,
      ResponseEncoder responseEncoder,
      ListOptions options,
      Selection selection) {
    if (ComponentRoutes.isFor(resourceRequest)) {
      components.list(request, selection, responseEncoder);
      return;
    }
    context.onSnapshot(
        request,
        resourceRequest,
        context.reads().forList(options, resourceRequest.type().storage()),
        snapshot -> {
          ReadContext.warnOfUnreadable(request, resourceRequest, snapshot);
          var collection = snapshot.collection(resourceRequest.type().storage());
          if (options.limit() <= ReadContext.FEW
              && selection.comparisons(collection) <= ReadContext.FEW) {
            var page = ListPage.of(snapshot, resourceRequest.type(), selection, options);
            if (responseEncoder.isPrecomputed(page)) {
              answer(request, responseEncoder, page);
            } else {
              request.make(() -> answer(request, responseEncoder, page));
            }
          } else {
            request.make(
                () ->
                    answer(
                        request,
                        responseEncoder,
                        ListPage.of(snapshot, resourceRequest.type(), selection, options)));
          }
        });
  }

  private static void answer(Request request, ResponseEncoder responseEncoder, ListPage page) {
    request.answer(200, responseEncoder.contentType(), responseEncoder.list(page));
  }
}
