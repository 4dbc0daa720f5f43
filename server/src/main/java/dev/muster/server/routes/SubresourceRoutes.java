package dev.muster.server.routes;

import dev.muster.access.token.TokenRequests;
import dev.muster.model.GroupVersionKind;
import dev.muster.model.json.JsonObject;
import dev.muster.registry.Handlers;
import dev.muster.registry.commit.OutdatedTypeException;
import dev.muster.registry.options.WriteOptions;
import dev.muster.registry.request.Call;
import dev.muster.registry.write.Outcome;
import dev.muster.registry.write.ScaleHandler;
import dev.muster.registry.write.UnstoredHandler.Made;
import dev.muster.schema.Schemas;
import dev.muster.server.answer.Representations;
import dev.muster.server.nodes.ConnectRoutes;
import dev.muster.server.request.Request;

/**
 * Answers subresources: most are another view of their parent, some are doors to something else.
 */
public final class SubresourceRoutes {
  private static final GroupVersionKind TOKEN_REQUEST =
      new GroupVersionKind("authentication.k8s.io", "v1", "TokenRequest");

  private final ReadRoutes reads;
  private final WriteRoutes writes;
  private final WriteRunner runner;
  private final Handlers handlers;
  private final TokenRequests tokens;
  private final ConnectRoutes connects;

  public SubresourceRoutes(
      ReadRoutes reads,
      WriteRoutes writes,
      WriteRunner runner,
      Handlers handlers,
      TokenRequests tokens,
      ConnectRoutes connects) {
    this.reads = reads;
    this.writes = writes;
    this.runner = runner;
    this.handlers = handlers;
    this.tokens = tokens;
    this.connects = connects;
  }

  public void answer(Request request, Call call) {
    switch (call.subresource()) {
      case "status", "finalize", "ephemeralcontainers", "resize", "approval" ->
          ofParent(request, call);
      case "token" -> token(request, call);
      case "log", "exec", "attach", "portforward", "proxy" -> connects.answer(request, call);
      case "binding" -> writes.bind(request, call);
      case "eviction" -> writes.evict(request, call);
      case "scale" -> scale(request, call);
      default -> throw NoRoute.notFound();
    }
  }

  private void ofParent(Request request, Call call) {
    switch (request.info().verb()) {
      case "get" -> reads.get(request, call);
      case "update" -> writes.update(request, call);
      case "patch" -> writes.patch(request, call);
      default -> throw NoRoute.methodNotAllowed();
    }
  }

  private void scale(Request request, Call call) {
    if (request.info().verb().equals("patch")) {
      handlers.patches().checkType(call.type(), request.header("content-type"));
      SentObjects.tellPatch(request);
    } else if (request.info().isWrite()) {
      SentObjects.tellBody(request);
    }
    runner.run(
        request,
        call,
        ScaleHandler.TYPE,
        Representations.Kind.OBJECT,
        () ->
            switch (request.info().verb()) {
              case "get" -> new Outcome.Shown(200, shownScale(call));
              case "update" ->
                  handlers
                      .scales()
                      .put(
                          call,
                          WriteRoutes.encoded(request),
                          WriteOptions.parse(request.query(), "UpdateOptions", false));
              default ->
                  handlers
                      .scales()
                      .patch(call, request.header("content-type"), request.exchange().body());
            });
  }

  private JsonObject shownScale(Call call) {
    var snapshot = handlers.latest(call.deadline());
    if (ReadContext.isOutdated(call, snapshot)) {
      throw new OutdatedTypeException(call.type().toString());
    }
    call.permission().in(snapshot);
    var parent = ReadRoutes.find(call, snapshot).tree();
    return ScaleHandler.shown(call.type(), call.type().fromStored(parent));
  }

  private void token(Request request, Call call) {
    runner.run(
        request,
        call,
        () -> {
          var options = WriteOptions.parse(request.query(), "CreateOptions", false);
          var shape = Schemas.of(TOKEN_REQUEST);
          if (shape == null) {
            throw NoRoute.notFound();
          }
          var body =
              handlers
                  .bodies()
                  .read(
                      TOKEN_REQUEST,
                      shape,
                      WriteRoutes.encoded(request),
                      options.fieldValidation(),
                      call.warnings());
          SentObjects.tell(request, body);
          return handlers
              .unstored()
              .create(
                  call,
                  TOKEN_REQUEST,
                  shape,
                  TokenRequests.defaults(body),
                  options,
                  (wanted, cluster) ->
                      new Made(
                          tokens.create(
                              call.namespace(),
                              call.name(),
                              wanted,
                              cluster,
                              call.warnings(),
                              call.annotations()),
                          false));
        });
  }
}
