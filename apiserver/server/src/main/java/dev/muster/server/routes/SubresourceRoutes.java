package dev.muster.server.routes;

import dev.muster.authentication.token.TokenRequests;
import dev.muster.model.GroupVersionKind;
import dev.muster.model.json.JsonObject;
import dev.muster.registry.Handlers;
import dev.muster.registry.commit.OutdatedTypeException;
import dev.muster.registry.request.ResourceRequest;
import dev.muster.registry.write.ScaleHandler;
import dev.muster.registry.write.UnstoredHandler.Made;
import dev.muster.registry.write.WriteResult;
import dev.muster.schema.Schemas;
import dev.muster.server.answer.ResponseEncoders;
import dev.muster.server.nodes.ConnectRoutes;
import dev.muster.server.request.Request;
import dev.muster.types.options.WriteOptions;

/**
 * Answers requests for subresources. Most are another view of their parent; the others open
 * connections, issue tokens, or bind, evict and scale.
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

  public void answer(Request request, ResourceRequest resourceRequest) {
    switch (resourceRequest.subresource()) {
      case "status", "finalize", "ephemeralcontainers", "resize", "approval" ->
          ofParent(request, resourceRequest);
      case "token" -> token(request, resourceRequest);
      case "log", "exec", "attach", "portforward", "proxy" ->
          connects.answer(request, resourceRequest);
      case "binding" -> writes.bind(request, resourceRequest);
      case "eviction" -> writes.evict(request, resourceRequest);
      case "scale" -> scale(request, resourceRequest);
      default -> throw NoRoute.notFound();
    }
  }

  private void ofParent(Request request, ResourceRequest resourceRequest) {
    switch (request.info().verb()) {
      case "get" -> reads.get(request, resourceRequest);
      case "update" -> writes.update(request, resourceRequest);
      case "patch" -> writes.patch(request, resourceRequest);
      default -> throw NoRoute.methodNotAllowed();
    }
  }

  private void scale(Request request, ResourceRequest resourceRequest) {
    if (request.info().verb().equals("patch")) {
      handlers.patches().checkType(resourceRequest.type(), request.header("content-type"));
      AuditRequestObjects.tellPatch(request);
    } else if (request.info().isWrite()) {
      AuditRequestObjects.tellBody(request);
    }
    runner.run(
        request,
        resourceRequest,
        ScaleHandler.TYPE,
        ResponseEncoders.Kind.OBJECT,
        () ->
            switch (request.info().verb()) {
              case "get" -> new WriteResult.Shown(200, shownScale(resourceRequest));
              case "update" ->
                  handlers
                      .scales()
                      .put(
                          resourceRequest,
                          WriteRoutes.encoded(request),
                          WriteOptions.parse(request.query(), "UpdateOptions", false));
              default ->
                  handlers
                      .scales()
                      .patch(
                          resourceRequest,
                          request.header("content-type"),
                          request.exchange().body());
            });
  }

  private JsonObject shownScale(ResourceRequest resourceRequest) {
    var snapshot = handlers.latest(resourceRequest.deadline());
    if (ReadContext.isOutdated(resourceRequest, snapshot)) {
      throw new OutdatedTypeException(resourceRequest.type().toString());
    }
    resourceRequest.permission().in(snapshot);
    var parent = ReadRoutes.find(resourceRequest, snapshot).tree();
    return ScaleHandler.shown(resourceRequest.type(), resourceRequest.type().fromStored(parent));
  }

  private void token(Request request, ResourceRequest resourceRequest) {
    runner.run(
        request,
        resourceRequest,
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
                      resourceRequest.warnings());
          AuditRequestObjects.report(request, body);
          return handlers
              .unstored()
              .create(
                  resourceRequest,
                  TOKEN_REQUEST,
                  shape,
                  TokenRequests.defaults(body),
                  options,
                  (wanted, cluster) ->
                      new Made(
                          tokens.create(
                              resourceRequest.namespace(),
                              resourceRequest.name(),
                              wanted,
                              cluster,
                              resourceRequest.warnings(),
                              resourceRequest.annotations()),
                          false));
        });
  }
}
