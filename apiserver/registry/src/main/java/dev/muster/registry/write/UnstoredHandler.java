package dev.muster.registry.write;

import dev.muster.model.GroupVersionKind;
import dev.muster.model.json.JsonObject;
import dev.muster.patch.ownership.FieldOwnership;
import dev.muster.patch.ownership.fields.FieldFilter;
import dev.muster.registry.admission.AdmissionOperation;
import dev.muster.registry.commit.AttemptResult;
import dev.muster.registry.request.ResourceRequest;
import dev.muster.replica.snapshot.Snapshot;
import dev.muster.schema.StructShape;
import dev.muster.types.ClusterView;
import dev.muster.types.ObjectMeta;
import dev.muster.types.SnapshotView;
import dev.muster.types.options.WriteOptions;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;

/**
 * Answers create requests for objects that are not stored, such as reviews and TokenRequests. They
 * pass admission like all created objects. Its methods block and run on virtual threads.
 */
public final class UnstoredHandler {
  private final WriteContext context;
  private final ConcurrentHashMap<GroupVersionKind, FieldOwnership> owners =
      new ConcurrentHashMap<>();

  public UnstoredHandler(WriteContext context) {
    this.context = context;
  }

  /**
   * The body of an answer.
   *
   * @param isSettled whether the answer is valid on any snapshot, so that it can be given while the
   *     store is unavailable. A refusal never is
   */
  public record Made(JsonObject body, boolean isSettled) {}

  /**
   * Answers a request. The metadata of a TokenRequest is kept, because it names the ServiceAccount.
   *
   * @param kind the kind of the object itself, which for a subresource is not the request's type;
   *     {@code shape} is its struct
   * @param answer makes the answer from the admitted object; throws when the object is invalid
   */
  public WriteResult create(
      ResourceRequest resourceRequest,
      GroupVersionKind kind,
      StructShape shape,
      JsonObject sent,
      WriteOptions options,
      BiFunction<JsonObject, ClusterView, Made> answer) {
    CreateHandler.matchNamespace(resourceRequest, sent);
    boolean names = !resourceRequest.subresource().isEmpty();
    var received =
        ObjectMeta.with(
            names ? sent : CreateHandler.withoutServerFields(sent),
            "namespace",
            resourceRequest.namespace());
    var object =
        owners
            .computeIfAbsent(
                kind,
                k ->
                    new FieldOwnership(
                        shape,
                        k,
                        resourceRequest.subresource(),
                        FieldFilter.NONE,
                        (other, version) -> null))
            .afterWrite(
                null, received, resourceRequest.manager(options.fieldManager()), context.now());
    // A token signed for a request that must be tried again costs more than a read index.
    var terms =
        names
            ? resourceRequest
                .terms("")
                .since(context.commits().fresh(resourceRequest.deadline()).revision())
            : resourceRequest.terms("");
    return context
        .attempts()
        .carryOut(
            terms,
            (snapshot, warnings) ->
                attempt(resourceRequest.withWarnings(warnings), object, options, answer, snapshot));
  }

  /** A subresource object gets the name of its parent, which clients need not repeat. */
  private static JsonObject named(ResourceRequest resourceRequest, JsonObject object) {
    return resourceRequest.subresource().isEmpty() || !ObjectMeta.name(object).isEmpty()
        ? object
        : ObjectMeta.with(object, "name", resourceRequest.name());
  }

  private AttemptResult<WriteResult> attempt(
      ResourceRequest resourceRequest,
      JsonObject object,
      WriteOptions options,
      BiFunction<JsonObject, ClusterView, Made> answer,
      Snapshot snapshot) {
    var view = new SnapshotView(snapshot);
    var request =
        resourceRequest.admission(
            AdmissionOperation.CREATE,
            resourceRequest.name().isEmpty() ? ObjectMeta.name(object) : resourceRequest.name(),
            object,
            null,
            options.dryRun(),
            options.asObject("CreateOptions"),
            view);
    var admitted = context.admission().admit(request);
    var made = answer.apply(admitted, view);
    context.admission().validate(request.withObject(named(resourceRequest, admitted)));
    var outcome = new WriteResult.Made(201, made.body());
    return made.isSettled()
        ? new AttemptResult.Settled<>(outcome)
        : new AttemptResult.Answer<>(outcome);
  }
}
