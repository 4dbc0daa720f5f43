package dev.muster.server.routes;

import dev.muster.access.review.Reviews;
import dev.muster.model.GroupVersionKind;
import dev.muster.model.json.JsonObject;
import dev.muster.registry.Handlers;
import dev.muster.registry.body.Bodies;
import dev.muster.registry.options.DeleteOptions;
import dev.muster.registry.options.ListOptions;
import dev.muster.registry.options.WriteOptions;
import dev.muster.registry.read.Selection;
import dev.muster.registry.request.Call;
import dev.muster.schema.Schemas;
import dev.muster.schema.StructShape;
import dev.muster.server.request.Request;

/** Answers everything that changes something, each verb by its handler. */
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

  public void create(Request request, Call call) {
    if (call.type().kind().equals(BINDING)) {
      bind(request, call);
      return;
    }
    if (!call.type().isStored()) {
      review(request, call);
      return;
    }
    runner.run(
        request,
        call,
        () -> {
          handlers.bodies().checkType(encoded(request));
          var options = WriteOptions.parse(request.query(), "CreateOptions", false);
          var body = object(request, call, options);
          return handlers.creates().create(call, body, options);
        });
  }

  /** Reviews are answered and not stored. */
  private void review(Request request, Call call) {
    runner.run(
        request,
        call,
        () -> {
          var options = WriteOptions.parse(request.query(), "CreateOptions", false);
          var type = call.type();
          var body =
              handlers
                  .bodies()
                  .read(
                      type.kind(),
                      type.shape(),
                      encoded(request),
                      options.fieldValidation(),
                      call.warnings());
          SentObjects.tell(request, body);
          return handlers
              .unstored()
              .create(
                  call,
                  type.kind(),
                  type.shape(),
                  body,
                  options,
                  (review, cluster) ->
                      reviews.create(type.plural(), call.namespace(), review, request.user()));
        });
  }

  /** Assigns a pod to a node; the binding itself is not stored. */
  void bind(Request request, Call call) {
    runner.run(
        request,
        call,
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
                      call.warnings());
          SentObjects.tell(request, body);
          return handlers.bindings().bind(call, body, options);
        });
  }

  void evict(Request request, Call call) {
    SentObjects.tellBody(request);
    runner.run(
        request,
        call,
        () ->
            handlers
                .evictions()
                .evict(
                    call,
                    encoded(request),
                    WriteOptions.parse(request.query(), "CreateOptions", false)));
  }

  public void update(Request request, Call call) {
    runner.run(
        request,
        call,
        () -> {
          var options = WriteOptions.parse(request.query(), "UpdateOptions", false);
          var body = object(request, call, options);
          return handlers.puts().put(call, body, options);
        });
  }

  public void patch(Request request, Call call) {
    handlers.patches().checkType(call.type(), request.header("content-type"));
    SentObjects.tellPatch(request);
    runner.run(
        request,
        call,
        () ->
            handlers
                .patches()
                .patch(call, request.header("content-type"), request.exchange().body()));
  }

  public void delete(Request request, Call call) {
    runner.run(
        request,
        call,
        () -> {
          var options = deleteOptions(request);
          return handlers.deletes().delete(unsafe.permitted(call, options), options);
        });
  }

  public void deleteCollection(Request request, Call call) {
    runner.run(
        request,
        call,
        () -> {
          var options = ListOptions.parse(request.query(), false);
          var selection = Selection.of(call.type(), call.namespace(), "", options);
          var deleted = deleteOptions(request);
          deleted.checkForCollection();
          return handlers.collections().delete(call, deleted, selection, options);
        });
  }

  private DeleteOptions deleteOptions(Request request) {
    var sent = handlers.bodies().deleteOptions(encoded(request));
    if (sent != null) {
      SentObjects.tell(request, sent);
    }
    return DeleteOptions.of(sent, request.query(), unsafe.enabled());
  }

  private JsonObject object(Request request, Call call, WriteOptions options) {
    var body = handlers.bodies().object(call, encoded(request), options.fieldValidation());
    SentObjects.tell(request, call.type(), body);
    return body;
  }

  static Bodies.Encoded encoded(Request request) {
    return new Bodies.Encoded(request.header("content-type"), request.exchange().body());
  }
}
