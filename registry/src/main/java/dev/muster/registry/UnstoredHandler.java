package dev.muster.registry;

import dev.muster.change.FieldFilter;
import dev.muster.change.FieldOwnership;
import dev.muster.model.GroupVersionKind;
import dev.muster.model.JsonObject;
import dev.muster.registry.admission.AdmissionRequest;
import dev.muster.registry.admission.ClusterView;
import dev.muster.registry.admission.Operation;
import dev.muster.registry.admission.SnapshotView;
import dev.muster.replica.Snapshot;
import dev.muster.schema.StructShape;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;

/**
 * Answers objects that are made only for their answer, such as reviews and requests for tokens.
 * They go through admission like everything that is created, and nothing of them is stored. Blocks;
 * called on virtual threads.
 */
public final class UnstoredHandler {
  private final WriteContext context;
  private final ConcurrentHashMap<GroupVersionKind, FieldOwnership> owners =
      new ConcurrentHashMap<>();

  UnstoredHandler(WriteContext context) {
    this.context = context;
  }

  /** A review is answered of what is known here, also while the store cannot be reached. */
  private Snapshot view(Call call) {
    return call.subresource().isEmpty() ? context.commits().current() : context.commits().fresh();
  }

  /**
   * A request for a token keeps what its metadata says: that names the account which is meant.
   *
   * @param kind and shape of the object itself, which for a subresource is not the call's type
   * @param answer makes the answer of the admitted object; throws when that is not valid
   */
  public Outcome create(
      Call call,
      GroupVersionKind kind,
      StructShape shape,
      JsonObject sent,
      WriteOptions options,
      BiFunction<JsonObject, ClusterView, JsonObject> answer) {
    CreateHandler.matchNamespace(call, sent);
    boolean names = !call.subresource().isEmpty();
    var object =
        ObjectMeta.with(
            names ? sent : CreateHandler.withoutServerFields(sent), "namespace", call.namespace());
    object =
        owners
            .computeIfAbsent(
                kind,
                k ->
                    new FieldOwnership(
                        shape, k, call.subresource(), FieldFilter.NONE, (other, version) -> null))
            .afterWrite(null, object, call.manager(options.fieldManager()), context.now());
    var view = new SnapshotView(view(call));
    var request =
        new AdmissionRequest(
            Operation.CREATE,
            call.type(),
            call.subresource(),
            call.namespace(),
            call.name().isEmpty() ? ObjectMeta.name(object) : call.name(),
            object,
            null,
            call.user(),
            options.dryRun(),
            options.asObject("CreateOptions"),
            view,
            call.warnings());
    var admitted = context.admission().admit(request);
    var made = answer.apply(admitted, view);
    context.admission().validate(request.withObject(admitted));
    return new Outcome.Made(201, made);
  }
}
