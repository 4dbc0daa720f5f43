package dev.muster.registry.write;

import dev.muster.model.GroupVersionKind;
import dev.muster.model.json.JsonObject;
import dev.muster.model.status.ApiException;
import dev.muster.model.status.Reason;
import dev.muster.model.status.StatusDetails;
import dev.muster.registry.body.AppliedBody;
import dev.muster.registry.body.PatchReader;
import dev.muster.registry.body.RequestDecoder;
import dev.muster.registry.body.SentConfiguration;
import dev.muster.registry.body.SentPatch;
import dev.muster.registry.request.ResourceRequest;
import dev.muster.schema.StructShape;
import dev.muster.schema.read.ObjectForm;
import dev.muster.types.CanonicalForm;
import dev.muster.types.ObjectMeta;
import dev.muster.types.ServedType;
import dev.muster.types.TypeTrait;
import dev.muster.types.options.WriteOptions;
import dev.muster.wire.DecodeException;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Applies patches of every kind. Its methods block and run on virtual threads. */
public final class PatchHandler {
  private final WriteContext context;
  private final UpdateHandler updates;
  private final RequestDecoder requestDecoder;

  public PatchHandler(WriteContext context, UpdateHandler updates, RequestDecoder requestDecoder) {
    this.context = context;
    this.updates = updates;
    this.requestDecoder = requestDecoder;
  }

  /**
   * Checks the content type only, which upstream does first.
   *
   * @throws ApiException UnsupportedMediaType when it is no patch type of such objects
   */
  public void checkType(ServedType type, String contentType) {
    var name = bare(contentType);
    if (requestDecoder.ofApply(name) != null) {
      return;
    }
    if (type.isCustom() && !SentPatch.SCHEMALESS_TYPES.contains(name)) {
      throw new ApiException(
          Reason.UNSUPPORTED_MEDIA_TYPE,
          "the body of the request was in an unknown format - accepted media types include: "
              + String.join(", ", SentPatch.SCHEMALESS_TYPES)
              + ", "
              + requestDecoder.applyTypes());
    }
    if (!SentPatch.TYPES.contains(name)) {
      throw new ApiException(
          Reason.UNSUPPORTED_MEDIA_TYPE, "415: Unsupported Media Type", StatusDetails.EMPTY);
    }
  }

  public WriteResult patch(ResourceRequest resourceRequest, String contentType, byte[] body) {
    checkType(resourceRequest.type(), contentType);
    var name = bare(contentType);
    var applied = requestDecoder.ofApply(name);
    var options = WriteOptions.parse(resourceRequest.query(), "PatchOptions", applied != null);
    return applied == null
        ? merge(resourceRequest, name, body, options)
        : apply(
            resourceRequest, new SentConfiguration(requestDecoder, applied, body)::read, options);
  }

  /** Server-side apply of a configuration that is already decoded. */
  public WriteResult apply(ResourceRequest resourceRequest, JsonObject configuration) {
    var applied = new AppliedBody(configuration, List.of());
    return apply(
        resourceRequest,
        () -> applied,
        WriteOptions.parse(resourceRequest.query(), "PatchOptions", true));
  }

  /** The content type without its parameters. */
  static String bare(String contentType) {
    int end = contentType.indexOf(';');
    return (end < 0 ? contentType : contentType.substring(0, end)).strip();
  }

  /** A patch of a subresource that has its own kind. */
  interface SubresourceChange {
    /**
     * @param resourceRequest its warnings are dropped unless this attempt decides
     */
    JsonObject of(ResourceRequest resourceRequest, JsonObject shown);
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
    return (resourceRequest, shown) ->
        new PatchReader(
                resourceRequest,
                kind,
                ObjectForm.of(shape),
                patch,
                options,
                requestDecoder.foreign())
            .patched(shown, null);
  }

  private WriteResult merge(
      ResourceRequest resourceRequest, String kind, byte[] body, WriteOptions options) {
    var patch = new SentPatch(kind, body, options.fieldValidation());
    return updates.update(
        resourceRequest,
        (attempt, existing) -> patched(attempt, existing, patch, options),
        options,
        WriteSemantics.PATCH);
  }

  private JsonObject patched(
      ResourceRequest resourceRequest,
      @Nullable ExistingObject live,
      SentPatch patch,
      WriteOptions options) {
    var type = resourceRequest.type();
    if (live == null) {
      throw ApiException.notFound(type.groupResource(), resourceRequest.name());
    }
    var reader =
        new PatchReader(
            resourceRequest, type.kind(), type.form(), patch, options, requestDecoder.foreign());
    var shown = type.fromStored(live.tree());
    var patched = reader.patched(shown, shown == live.canonical() ? shown : null);
    CreateHandler.matchNamespace(resourceRequest, patched);
    PutHandler.checkName(resourceRequest, patched);
    try {
      return type.strategy().defaults(type.toStored(patched));
    } catch (DecodeException e) {
      throw patch.isStrategic()
          ? ApiException.badRequest(e.text())
          : reader.invalid(shown, e.text());
    }
  }

  /**
   * Errors in the configuration itself come before errors about the object, except that a missing
   * object that cannot be created answers NotFound first.
   */
  private WriteResult apply(
      ResourceRequest resourceRequest, Supplier<AppliedBody> configuration, WriteOptions options) {
    resourceRequest.checkName();
    boolean creates = createsMissing(resourceRequest);
    if (creates) {
      var _ = configuration.get();
    }
    return updates.update(
        resourceRequest,
        (attempt, existing) -> {
          if (existing == null && !creates) {
            throw ApiException.notFound(
                resourceRequest.type().groupResource(), resourceRequest.name());
          }
          return applied(attempt, existing, configuration.get(), options);
        },
        options,
        WriteSemantics.apply(creates));
  }

  /**
   * Like upstream, apply creates missing objects, admission policies even through their status, and
   * all types that a PUT creates.
   */
  private static boolean createsMissing(ResourceRequest resourceRequest) {
    return resourceRequest.subresource().isEmpty()
        || resourceRequest.type().is(TypeTrait.STATUS_CREATES)
        || (SubresourceView.of(resourceRequest).mayCreate()
            && resourceRequest.type().strategy().createsOnUpdate());
  }

  private JsonObject applied(
      ResourceRequest resourceRequest,
      @Nullable ExistingObject live,
      AppliedBody applied,
      WriteOptions options) {
    var type = resourceRequest.type();
    var result = merged(resourceRequest, live, applied, options);
    var object = typed(resourceRequest, result, live == null ? null : live.canonical());
    applied.validate(options.fieldValidation(), resourceRequest.warnings());
    if (live == null && !ObjectMeta.uid(object).isEmpty()) {
      throw ApiException.conflict(
          type.groupResource(),
          resourceRequest.name(),
          "uid mismatch: the provided object specified uid "
              + ObjectMeta.uid(object)
              + ", and no existing object was found");
    }
    CreateHandler.matchNamespace(resourceRequest, object);
    PutHandler.checkName(resourceRequest, object);
    return type.strategy().defaults(object);
  }

  private JsonObject merged(
      ResourceRequest resourceRequest,
      @Nullable ExistingObject live,
      AppliedBody applied,
      WriteOptions options) {
    var tree = live == null ? null : live.tree();
    try {
      return FieldOwners.apply(resourceRequest, tree, applied.object(), options, context.now());
    } catch (DecodeException e) {
      throw ApiException.badRequest(e.text());
    }
  }

  private static JsonObject typed(
      ResourceRequest resourceRequest, JsonObject applied, @Nullable JsonObject origin) {
    try {
      return CanonicalForm.withEmpties(resourceRequest.type(), applied, origin);
    } catch (DecodeException e) {
      var kind = resourceRequest.type().kind();
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
