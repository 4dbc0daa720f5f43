package dev.muster.server.routes;

import dev.muster.model.status.ApiException;
import dev.muster.registry.options.ListOptions;
import dev.muster.registry.read.ListPage;
import dev.muster.registry.read.Selection;
import dev.muster.registry.request.Call;
import dev.muster.replica.object.StoredObject;
import dev.muster.replica.snapshot.Snapshot;
import dev.muster.server.answer.Representation;
import dev.muster.server.answer.Representations.Kind;
import dev.muster.server.request.Request;

/**
 * Answers get and list. On the event loop what is at hand is answered at once, what has to be
 * waited for is answered when it is there, and nothing blocks; what takes long because of what the
 * client asks for is made elsewhere.
 */
public final class ReadRoutes {
  private final ReadContext context;
  private final ComponentRoutes components;

  public ReadRoutes(ReadContext context, ComponentRoutes components) {
    this.context = context;
    this.components = components;
  }

  public void get(Request request, Call call) {
    var representation = context.representation(request, call, Kind.OBJECT);
    if (request.query().isTrue("export")) {
      throw ApiException.badRequest(
          "the export parameter, deprecated since v1.14, is no longer supported");
    }
    if (ComponentRoutes.isFor(call)) {
      components.get(request, call, representation);
      return;
    }
    var wanted = context.reads().forGet(request.query().first("resourceVersion"));
    context.onSnapshot(
        request,
        call,
        wanted,
        snapshot -> {
          var object = find(call, snapshot);
          var type = representation.contentType();
          if (representation.isAtHand(object)) {
            request.answer(200, type, representation.object(object));
          } else {
            request.make(() -> request.answer(200, type, representation.parts(object)));
          }
        });
  }

  static StoredObject find(Call call, Snapshot snapshot) {
    var object = snapshot.collection(call.type().storage()).get(call.namespace(), call.name());
    if (object == null) {
      call.checkName();
      throw ApiException.notFound(call.type().groupResource(), call.name());
    }
    return object;
  }

  public void list(Request request, Call call) {
    var representation = context.representation(request, call, Kind.LIST);
    ReadContext.select(
        request,
        call,
        false,
        (options, selection) -> list(request, call, representation, options, selection));
  }

  private void list(
      Request request,
      Call call,
      Representation representation,
      ListOptions options,
      Selection selection) {
    if (ComponentRoutes.isFor(call)) {
      components.list(request, selection, representation);
      return;
    }
    context.onSnapshot(
        request,
        call,
        context.reads().forList(options, call.type().storage()),
        snapshot -> {
          ReadContext.warnOfUnreadable(request, call, snapshot);
          var collection = snapshot.collection(call.type().storage());
          if (options.limit() <= ReadContext.FEW
              && selection.comparisons(collection) <= ReadContext.FEW) {
            var page = ListPage.of(snapshot, call.type(), selection, options);
            if (representation.isAtHand(page)) {
              answer(request, representation, page);
            } else {
              request.make(() -> answer(request, representation, page));
            }
          } else {
            request.make(
                () ->
                    answer(
                        request,
                        representation,
                        ListPage.of(snapshot, call.type(), selection, options)));
          }
        });
  }

  private static void answer(Request request, Representation representation, ListPage page) {
    request.answer(200, representation.contentType(), representation.list(page));
  }
}
