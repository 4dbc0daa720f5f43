package dev.muster.registry.write;

import dev.muster.model.GroupResource;
import dev.muster.model.GroupVersion;
import dev.muster.model.GroupVersionKind;
import dev.muster.model.gocompat.GoText;
import dev.muster.model.json.JsonObject;
import dev.muster.model.status.ApiException;
import dev.muster.model.validation.FieldError;
import dev.muster.model.validation.NameRule;
import dev.muster.patch.ownership.FieldOwnership;
import dev.muster.patch.ownership.ScaleOwnership;
import dev.muster.patch.ownership.Versions;
import dev.muster.patch.ownership.fields.FieldFilter;
import dev.muster.registry.body.AppliedBody;
import dev.muster.registry.body.RequestDecoder;
import dev.muster.registry.body.SentConfiguration;
import dev.muster.registry.request.ResourceRequest;
import dev.muster.schema.Schemas;
import dev.muster.schema.StructShape;
import dev.muster.schema.read.TypedReader;
import dev.muster.types.ObjectMeta;
import dev.muster.types.ScalePaths;
import dev.muster.types.ServedType;
import dev.muster.types.ServedTypeBuilder;
import dev.muster.types.options.WriteOptions;
import dev.muster.types.table.WorkloadTables;
import dev.muster.validation.FieldChecks;
import dev.muster.validation.FieldCursor;
import dev.muster.validation.ResourceRules;
import dev.muster.validation.Rule;
import dev.muster.validation.Rules;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Serves the {@code scale} subresource, through which clients read and change a workload's replicas
 * without knowing its kind. Writes block and run on virtual threads.
 */
public final class ScaleHandler {
  private static final GroupVersionKind SCALE = new GroupVersionKind("autoscaling", "v1", "Scale");
  private static final StructShape SHAPE = Schemas.struct("io.k8s.api.autoscaling.v1.Scale");

  /** The type of Scales. Scales are not stored, but clients request them as tables. */
  public static final ServedType TYPE =
      new ServedTypeBuilder(SCALE, "scales", true, SHAPE, ResourceRules.namespaced().build())
          .verbs()
          .storage("")
          .table(WorkloadTables.scale())
          .build();

  private static final FieldOwnership OWNERS =
      new FieldOwnership(SHAPE, SCALE, "scale", FieldFilter.NONE, Versions.ONE);

  private static final Rule RULES =
      Rule.all(
          Rules.namespacedMetadata(NameRule.DNS_SUBDOMAIN),
          Rules.field("spec.replicas", FieldChecks.nonNegative()));

  private final WriteContext context;
  private final UpdateHandler updates;
  private final PatchHandler patches;
  private final RequestDecoder requestDecoder;

  public ScaleHandler(
      WriteContext context,
      UpdateHandler updates,
      PatchHandler patches,
      RequestDecoder requestDecoder) {
    this.context = context;
    this.updates = updates;
    this.patches = patches;
    this.requestDecoder = requestDecoder;
  }

  /** The Scale of an object of that type. */
  public static JsonObject of(ServedType type, JsonObject parent) {
    var paths = paths(type);
    var metadata = parent.object("metadata");
    var shown = JsonObject.builder();
    for (var field : List.of("name", "namespace", "uid", "resourceVersion", "creationTimestamp")) {
      shown.putIf(field, metadata.get(field));
    }
    return TypedReader.normal(
        SHAPE,
        JsonObject.of(
            "kind",
            SCALE.kind(),
            "apiVersion",
            SCALE.apiVersion(),
            "metadata",
            shown.build(),
            "spec",
            JsonObject.of("replicas", paths.specReplicas(parent)),
            "status",
            JsonObject.of(
                "replicas", paths.statusReplicas(parent), "selector", paths.selectorText(parent))));
  }

  /**
   * The Scale of an object for a client.
   *
   * @throws ApiException InternalError when a custom object has no replica count
   */
  public static JsonObject shown(ServedType type, JsonObject parent) {
    var path = paths(type).specReplicas();
    if (type.isCustom() && parent.at(path.toArray(String[]::new)) == null) {
      throw ApiException.internal(
          "the spec replicas field "
              + GoText.quote("." + String.join(".", path))
              + " does not exist");
    }
    return of(type, parent);
  }

  private static ScalePaths paths(ServedType type) {
    var paths = type.scale();
    if (paths == null) {
      throw new IllegalArgumentException(type + " has no scale");
    }
    return paths;
  }

  public WriteResult put(
      ResourceRequest resourceRequest, RequestDecoder.Encoded body, WriteOptions options) {
    var sent =
        requestDecoder.read(
            SCALE, SHAPE, body, options.fieldValidation(), resourceRequest.warnings());
    PutHandler.checkName(resourceRequest, sent);
    CreateHandler.matchNamespace(resourceRequest, sent);
    var scale = ObjectMeta.with(sent, "namespace", resourceRequest.namespace());
    return change(
        resourceRequest,
        options,
        WriteSemantics.Verb.UPDATE,
        (attempt, before) -> written(attempt, before, scale, options));
  }

  public WriteResult patch(ResourceRequest resourceRequest, String contentType, byte[] body) {
    var encoding = requestDecoder.ofApply(PatchHandler.bare(contentType));
    var options = WriteOptions.parse(resourceRequest.query(), "PatchOptions", encoding != null);
    if (encoding != null) {
      var configuration = new SentConfiguration(requestDecoder, encoding, body);
      return change(
          resourceRequest,
          options,
          WriteSemantics.Verb.PATCH,
          (attempt, before) -> applied(attempt, before, configuration.read(), options));
    }
    var patch = patches.of(resourceRequest.type(), SCALE, SHAPE, contentType, body, options);
    return change(
        resourceRequest,
        options,
        WriteSemantics.Verb.PATCH,
        (attempt, before) -> {
          var patched = patch.of(attempt, before);
          PutHandler.checkName(attempt, patched);
          checkUid(attempt, patched, before);
          return written(attempt, before, patched, options);
        });
  }

  /** The written Scale, with the managedFields of its replicas. */
  private JsonObject written(
      ResourceRequest resourceRequest, JsonObject before, JsonObject scale, WriteOptions options) {
    return OWNERS.afterWrite(
        before, scale, resourceRequest.manager(options.fieldManager()), context.now());
  }

  private JsonObject applied(
      ResourceRequest resourceRequest,
      JsonObject before,
      AppliedBody wanted,
      WriteOptions options) {
    var result =
        OWNERS
            .apply(before, wanted.object(), options.fieldManager(), options.force(), context.now())
            .object();
    wanted.validate(options.fieldValidation(), resourceRequest.warnings());
    PutHandler.checkName(resourceRequest, result);
    checkUid(resourceRequest, result, before);
    return result;
  }

  private static void checkUid(
      ResourceRequest resourceRequest, JsonObject scale, JsonObject before) {
    var uid = ObjectMeta.uid(scale);
    if (!uid.isEmpty() && !uid.equals(ObjectMeta.uid(before))) {
      var resource = resourceRequest.type().groupResource();
      throw ApiException.conflict(
          new GroupResource(resource.group(), resource.resource() + "/scale"),
          resourceRequest.name(),
          "Precondition failed: UID in precondition: "
              + uid
              + ", UID in object meta: "
              + ObjectMeta.uid(before));
    }
  }

  private WriteResult change(
      ResourceRequest resourceRequest,
      WriteOptions options,
      WriteSemantics.Verb verb,
      PatchHandler.SubresourceChange change) {
    var type = resourceRequest.type();
    var version = type.groupVersion().toString();
    var owners = new ScaleOwnership(version, owned -> replicasField(type, owned));
    var writeResult =
        updates.update(
            resourceRequest,
            (attempt, live) -> {
              if (live == null) {
                throw ApiException.notFound(
                    resourceRequest.type().groupResource(), resourceRequest.name());
              }
              var tree = live.tree();
              var before = ObjectMeta.with(of(type, tree), "managedFields", owners.toScale(tree));
              var scale = change.of(attempt, before);
              return owners.toParent(scaled(type, tree, scale), scale);
            },
            options,
            WriteSemantics.scale(verb));
    return switch (writeResult) {
      case WriteResult.Stored stored ->
          new WriteResult.Shown(200, of(type, type.fromStored(stored.object().tree())));
      case WriteResult.Shown shown -> new WriteResult.Shown(200, of(type, shown.object()));
      case WriteResult.Made made -> made;
      case WriteResult.Done done -> done;
      case WriteResult.Several several -> several;
    };
  }

  private static @Nullable String replicasField(ServedType type, String apiVersion) {
    var version = type.inVersion(GroupVersion.parse(apiVersion));
    if (version == null) {
      return null;
    }
    var paths = version.scale();
    return paths == null ? "" : paths.replicasField();
  }

  /** The workload with the replicas of a Scale. */
  static JsonObject scaled(ServedType type, JsonObject live, JsonObject scale) {
    var errors = new ArrayList<FieldError>();
    // A custom resource validates its replica counts by its own strategy.
    if (!type.isCustom()) {
      RULES.check(FieldCursor.of(scale, null, errors));
    }
    if (!errors.isEmpty()) {
      throw ApiException.invalid(SCALE.groupKind(), ObjectMeta.name(live), errors);
    }
    long replicas = scale.object("spec").integer("replicas", 0);
    var parent = paths(type).scaled(live, replicas);
    if (!type.isCustom() || !ObjectMeta.resourceVersion(scale).isEmpty()) {
      parent = ObjectMeta.keep(parent, scale, "resourceVersion");
    }
    return ObjectMeta.uid(scale).isEmpty() ? parent : ObjectMeta.keep(parent, scale, "uid");
  }
}
