package dev.muster.registry.write;

import dev.muster.model.GroupVersionKind;
import dev.muster.model.json.JsonObject;
import dev.muster.model.status.ApiException;
import dev.muster.model.status.Reason;
import dev.muster.model.status.StatusDetails;
import dev.muster.registry.body.AppliedBody;
import dev.muster.registry.body.Bodies;
import dev.muster.registry.body.PatchReader;
import dev.muster.registry.body.SentConfiguration;
import dev.muster.registry.body.SentPatch;
import dev.muster.registry.options.WriteOptions;
import dev.muster.registry.request.Call;
import dev.muster.registry.types.CanonicalForm;
import dev.muster.registry.types.ObjectMeta;
import dev.muster.registry.types.ServedType;
import dev.muster.registry.types.TypeTrait;
import dev.muster.schema.StructShape;
import dev.muster.schema.read.ObjectForm;
import dev.muster.wire.DecodeException;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Applies patches of every kind. Blocks; called on virtual threads. */
public final class PatchHandler {
  private final WriteContext context;
  private final UpdateHandler updates;
  private final Bodies bodies;

  public PatchHandler(WriteContext context, UpdateHandler updates, Bodies bodies) {
    this.context = context;
    this.updates = updates;
    this.bodies = bodies;
  }

  /**
   * Looks at the content type alone, which upstream does before anything else.
   *
   * @throws ApiException UnsupportedMediaType when it is that of no patch of such objects
   */
  public void checkType(ServedType type, String contentType) {
    var name = bare(contentType);
    if (bodies.ofApply(name) != null) {
      return;
    }
    if (type.isCustom() && !SentPatch.SCHEMALESS_TYPES.contains(name)) {
      throw new ApiException(
          Reason.UNSUPPORTED_MEDIA_TYPE,
          "the body of the request was in an unknown format - accepted media types include: "
              + String.join(", ", SentPatch.SCHEMALESS_TYPES)
              + ", "
              + bodies.applyTypes());
    }
    if (!SentPatch.TYPES.contains(name)) {
      throw new ApiException(
          Reason.UNSUPPORTED_MEDIA_TYPE, "415: Unsupported Media Type", StatusDetails.EMPTY);
    }
  }

  public Outcome patch(Call call, String contentType, byte[] body) {
    checkType(call.type(), contentType);
    var name = bare(contentType);
    var applied = bodies.ofApply(name);
    var options = WriteOptions.parse(call.query(), "PatchOptions", applied != null);
    return applied == null
        ? merge(call, name, body, options)
        : apply(call, new SentConfiguration(bodies, applied, body)::read, options);
  }

  /** Server-side apply of a configuration that is at hand already. */
  public Outcome apply(Call call, JsonObject configuration) {
    var applied = new AppliedBody(configuration, List.of());
    return apply(call, () -> applied, WriteOptions.parse(call.query(), "PatchOptions", true));
  }

  /** The content type without its parameters, whatever these are. */
  static String bare(String contentType) {
    int end = contentType.indexOf(';');
    return (end < 0 ? contentType : contentType.substring(0, end)).strip();
  }

  /** A change of a subresource that is a kind of its own. */
  interface SubresourceChange {
    /**
     * @param call whose warnings count only if this attempt does
     */
    JsonObject of(Call call, JsonObject shown);
  }

  SubresourceChange of(
      ServedType parent,
      GroupVersionKind kind,
      StructShape shape,
      String contentType,
      byte[] body,
      WriteOptions options) {
    checkType(parent, contentType);
    var patch = new SentPatch(bare(contentType), body, options.fieldValidation());
    return (call, shown) ->
        new PatchReader(call, kind, ObjectForm.of(shape), patch, options, bodies.foreign())
            .patched(shown, null);
  }

  private Outcome merge(Call call, String kind, byte[] body, WriteOptions options) {
    var patch = new SentPatch(kind, body, options.fieldValidation());
    return updates.update(
        call,
        (attempt, existing) -> patched(attempt, existing, patch, options),
        options,
        WriteSemantics.PATCH);
  }

  private JsonObject patched(
      Call call, @Nullable ExistingObject live, SentPatch patch, WriteOptions options) {
    var type = call.type();
    if (live == null) {
      throw ApiException.notFound(type.groupResource(), call.name());
    }
    var reader = new PatchReader(call, type.kind(), type.form(), patch, options, bodies.foreign());
    var shown = type.fromStored(live.tree());
    var patched = reader.patched(shown, shown == live.canonical() ? shown : null);
    CreateHandler.matchNamespace(call, patched);
    PutHandler.checkName(call, patched);
    try {
      return type.strategy().defaults(type.toStored(patched));
    } catch (DecodeException e) {
      throw patch.isStrategic()
          ? ApiException.badRequest(e.text())
          : reader.invalid(shown, e.text());
    }
  }

  /**
   * What is wrong with the configuration itself comes before anything about the object, but that
   * there is none where none can be created.
   */
  private Outcome apply(Call call, Supplier<AppliedBody> configuration, WriteOptions options) {
    call.checkName();
    boolean creates = createsMissing(call);
    if (creates) {
      var _ = configuration.get();
    }
    return updates.update(
        call,
        (attempt, existing) -> {
          if (existing == null && !creates) {
            throw ApiException.notFound(call.type().groupResource(), call.name());
          }
          return applied(attempt, existing, configuration.get(), options);
        },
        options,
        WriteSemantics.apply(creates));
  }

  /**
   * Upstream creates an object that is applied, a policy even by its status, and so with what a PUT
   * creates.
   */
  private static boolean createsMissing(Call call) {
    return call.subresource().isEmpty()
        || call.type().is(TypeTrait.STATUS_CREATES)
        || (SubresourceView.of(call).mayCreate() && call.type().strategy().createsOnUpdate());
  }

  private JsonObject applied(
      Call call, @Nullable ExistingObject live, AppliedBody applied, WriteOptions options) {
    var type = call.type();
    var result = merged(call, live, applied, options);
    var object = typed(call, result, live == null ? null : live.canonical());
    applied.validate(options.fieldValidation(), call.warnings());
    if (live == null && !ObjectMeta.uid(object).isEmpty()) {
      throw ApiException.conflict(
          type.groupResource(),
          call.name(),
          "uid mismatch: the provided object specified uid "
              + ObjectMeta.uid(object)
              + ", and no existing object was found");
    }
    CreateHandler.matchNamespace(call, object);
    PutHandler.checkName(call, object);
    return type.strategy().defaults(object);
  }

  private JsonObject merged(
      Call call, @Nullable ExistingObject live, AppliedBody applied, WriteOptions options) {
    var tree = live == null ? null : live.tree();
    try {
      return FieldOwners.apply(call, tree, applied.object(), options, context.now());
    } catch (DecodeException e) {
      throw ApiException.badRequest(e.text());
    }
  }

  private static JsonObject typed(Call call, JsonObject applied, @Nullable JsonObject origin) {
    try {
      return CanonicalForm.withEmpties(call.type(), applied, origin);
    } catch (DecodeException e) {
      var kind = call.type().kind();
      var version = kind.group() + "/" + kind.version() + ", Kind=" + kind.kind();
      throw ApiException.badRequest(
          "failed to convert new object ("
              + ObjectMeta.namespace(applied)
              + "/"
              + ObjectMeta.name(applied)
              + "; "
              + version
              + ") to proper version: unable to convert unstructured object to "
              + version
              + ": error decoding from json: "
              + e.text());
    }
  }
}
