package dev.muster.server.routes;

import dev.muster.authorization.review.Reviews;
import dev.muster.model.GroupVersionKind;
import dev.muster.model.json.JsonObject;
import dev.muster.registry.Handlers;
import dev.muster.registry.body.RequestDecoder;
import dev.muster.registry.read.Selection;
import dev.muster.registry.request.ResourceRequest;
import dev.muster.schema.Schemas;
import dev.muster.schema.StructShape;
import dev.muster.server.request.Request;
import dev.muster.types.options.DeleteOptions;
import dev.muster.types.options.ListOptions;
import dev.muster.types.options.WriteOptions;

/** Answers requests that change something, each verb by its handler. */
public final class WriteRoutes {
  private static final GroupVersionKind BINDING = new GroupVersionKind("", "v1", "Binding");
  private static final StructShape BINDING_SHAPE = Schemas.struct("io.k8s.api.core.v1.Binding");

  private final WriteRunner runner;
  private final Handlers handlers;
  private final Reviews reviews;
  private final UnsafeDeletes unsafe;

  public WriteRoutes(WriteRunner runner, Handlers handlers, Reviews reviews, UnsafeDeletes unsafe) {
    this.runner = runner;
    this.handlers = handlers;
    this.reviews = reviews;
    this.unsafe = unsafe;
  }

  public void create(Request request, ResourceRequest resourceRequest) {
    if (resourceRequest.type().kind().equals(BINDING)) {
      bind(request, resourceRequest);
      return;
    }
    if (!resourceRequest.type().isStored()) {
      review(request, resourceRequest);
      return;
    }
    runner.run(
        request,
        resourceRequest,
        () -> {
          handlers.bodies().checkType(encoded(request));
          var options = WriteOptions.parse(request.query(), "CreateOptions", false);
          var body = object(request, resourceRequest, options);
          return handlers.creates().create(resourceRequest, body, options);
        });
  }

  /** Answers a review, which is not stored. */
  private void review(Request request, ResourceRequest resourceRequest) {
    runner.run(
        request,
        resourceRequest,
        () -> {
          var options = WriteOptions.parse(request.query(), "CreateOptions", false);
          var type = resourceRequest.type();
          var body =
              handlers
                  .bodies()
                  .read(
                      type.kind(),
                      type.shape(),
                      encoded(request),
                      options.fieldValidation(),
                      resourceRequest.warnings());
          AuditRequestObjects.report(request, body);
          return handlers
              .unstored()
              .create(
                  resourceRequest,
                  type.kind(),
                  type.shape(),
                  body,
                  options,
                  (review, cluster) ->
                      reviews.create(
                          type.plural(), resourceRequest.namespace(), review, request.user()));
        });
  }

  /** Assigns a pod to a node. The Binding itself is not stored. */
  void bind(Request request, ResourceRequest resourceRequest) {
    runner.run(
        request,
        resourceRequest,
        () -> {
          var options = WriteOptions.parse(request.query(), "CreateOptions", false);
          var body =
              handlers
                  .bodies()
                  .read(
                      BINDING,
                      BINDING_SHAPE,
                      encoded(request),
                      options.fieldValidation(),
                      resourceRequest.warnings());
          AuditRequestObjects.report(request, body);
          return handlers.bindings().bind(resourceRequest, body, options);
        });
  }

  void evict(Request request, ResourceRequest resourceRequest) {
    AuditRequestObjects.tellBody(request);
    runner.run(
        request,
        resourceRequest,
        () ->
            handlers
                .evictions()
                .evict(
                    resourceRequest,
                    encoded(request),
                    WriteOptions.parse(request.query(), "CreateOptions", false)));
  }

  public void update(Request request, ResourceRequest resourceRequest) {
    runner.run(
        request,
        resourceRequest,
        () -> {
          var options = WriteOptions.parse(request.query(), "UpdateOptions", false);
          var body = object(request, resourceRequest, options);
          return handlers.puts().put(resourceRequest, body, options);
        });
  }

  public void patch(Request request, ResourceRequest resourceRequest) {
    handlers.patches().checkType(resourceRequest.type(), request.header("content-type"));
    AuditRequestObjects.tellPatch(request);
    runner.run(
        request,
        resourceRequest,
        () ->
            handlers
                .patches()
                .patch(resourceRequest, request.header("content-type"), request.exchange().body()));
  }

  public void delete(Request request, ResourceRequest resourceRequest) {
    runner.run(
        request,
        resourceRequest,
        () -> {
          var options = deleteOptions(request);
          return handlers.deletes().delete(unsafe.permitted(resourceRequest, options), options);
        });
  }

  public void deleteCollection(Request request, ResourceRequest resourceRequest) {
    runner.run(
        request,
        resourceRequest,
        () -> {
          var options = ListOptions.parse(request.query(), false);
          var selection =
              Selection.of(resourceRequest.type(), resourceRequest.namespace(), "", options);
          var deleted = deleteOptions(request);
          deleted.checkForCollection();
          return handlers.collections().delete(resourceRequest, deleted, selection, options);
        });
  }

  private DeleteOptions deleteOptions(Request request) {
    var sent = handlers.bodies().deleteOptions(encoded(request));
    if (sent != null) {
      AuditRequestObjects.report(request, sent);
    }
    return DeleteOptions.of(sent, request.query(), unsafe.enabled());
  }

  private JsonObject object(
      Request request, ResourceRequest resourceRequest, WriteOptions options) {
    var body =
        handlers.bodies().object(resourceRequest, encoded(request), options.fieldValidation());
    AuditRequestObjects.report(request, resourceRequest.type(), body);
    return body;
  }

  static RequestDecoder.Encoded encoded(Request request) {
    return new RequestDecoder.Encoded(request.header("content-type"), request.exchange().body());
  }
}
