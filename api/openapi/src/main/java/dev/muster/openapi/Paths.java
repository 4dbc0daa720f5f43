package dev.muster.openapi;

import dev.muster.model.GroupVersion;
import dev.muster.model.GroupVersionKind;
import dev.muster.model.json.JsonObject;
import dev.muster.schema.ResourceType;
import dev.muster.schema.ResourceType.Subresource;
import dev.muster.schema.Schemas;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Collects paths with their operations, and the definitions that these need. One thread's. */
final class Paths {
  private static final String STATUS = Schemas.META + "Status";

  /** Kinds whose deletion is answered with what was deleted. */
  private static final Set<String> ANSWERED_WITH_OBJECT =
      Set.of(
          "CSIDriver",
          "CSINode",
          "DeviceClass",
          "PersistentVolume",
          "PersistentVolumeClaim",
          "Pod",
          "PodTemplate",
          "ResourceClaim",
          "ResourceClaimTemplate",
          "ResourceQuota",
          "ResourceSlice",
          "Service",
          "ServiceAccount",
          "StorageClass",
          "VolumeAttachment",
          "VolumeAttributesClass");

  /** A verb and the HTTP method that stands for it. */
  private record Method(String verb, String name) {}

  private static final List<Method> METHODS =
      List.of(
          new Method("create", "post"),
          new Method("delete", "delete"),
          new Method("get", "get"),
          new Method("get", "head"),
          new Method("get", "options"),
          new Method("patch", "patch"),
          new Method("update", "put"));

  private final Dialect dialect;
  private final Definitions definitions;
  private final Map<String, PathItem> found = new TreeMap<>();
  private final Map<GroupVersion, OperationNames> names = new HashMap<>();

  Paths(Dialect dialect, Definitions definitions) {
    this.dialect = dialect;
    this.definitions = definitions;
  }

  JsonObject all() {
    var all = JsonObject.builder();
    found.forEach((path, item) -> all.append(path, item.render(dialect)));
    return all.build();
  }

  private void add(
      String path, String method, PathOperation operation, List<OperationParameters> shared) {
    found.computeIfAbsent(path, absent -> new PathItem(shared)).put(method, operation);
  }

  /** A document that is no resource, such as discovery. */
  void document(String path, String id, String tag, String description, String answer) {
    document(path, id, tag, description, answer, OperationStyle.ALL, OperationStyle.ALL);
  }

  /**
   * A document that is no resource.
   *
   * @param answer its definition; "" where nobody defines it here
   */
  void document(
      String path,
      String id,
      String tag,
      String description,
      String answer,
      List<String> consumes,
      List<String> produces) {
    add(
        path,
        "get",
        new PathOperation(
            id,
            tag,
            description,
            "",
            null,
            List.of(),
            null,
            false,
            answer,
            List.of("200"),
            consumes,
            produces),
        List.of());
  }

  static String root(GroupVersion version) {
    return version.group().isEmpty() ? "/api/" + version.version() : "/apis/" + version;
  }

  /** All paths of a resource. */
  void resource(ResourceType type) {
    var root = root(type.groupVersion());
    var scope = type.namespaced() ? root + "/namespaces/{namespace}" : root;
    var collection = scope + "/" + type.plural();
    var shared = new ArrayList<OperationParameters>();
    if (type.namespaced()) {
      shared.add(OperationParameters.NAMESPACE);
    }
    shared.add(OperationParameters.PRETTY);
    collection(type, collection, shared);
    if (type.namespaced() && type.verbs().contains("list")) {
      var everywhere = names(type).version() + type.kind().kind() + "ForAllNamespaces";
      add(
          root + "/" + type.plural(),
          "get",
          list(type, everywhere),
          List.of(OperationParameters.PRETTY));
    }
    var named = new ArrayList<OperationParameters>(List.of(OperationParameters.NAME));
    named.addAll(shared);
    single(type, collection + "/{name}", named);
    for (var subresource : type.subresources()) {
      subresource(type, subresource, collection + "/{name}/" + subresource.name(), named);
    }
  }

  /** What stands before a kind, with its blanks: plurals have no article. */
  private static String article(String kind) {
    if (kind.endsWith("s") && !kind.endsWith("ss")) {
      return " ";
    }
    return "AEIOU".indexOf(kind.charAt(0)) >= 0 ? " an " : " a ";
  }

  private OperationNames names(ResourceType type) {
    return names.computeIfAbsent(type.groupVersion(), OperationNames::of);
  }

  private String operationName(ResourceType type) {
    return names(type).version() + (type.namespaced() ? "Namespaced" : "") + type.kind().kind();
  }

  private PathOperation list(ResourceType type, String name) {
    var shape = Schemas.of(type.listKind());
    var answer = shape == null ? definitions.addList(type) : definitions.add(shape);
    return operation(
            type,
            "list" + name,
            (type.verbs().contains("watch") ? "list or watch" : "list")
                + " objects of kind "
                + type.kind().kind(),
            "list")
        .with(OperationParameters.LIST)
        .answering(answer, "200")
        .producing(OperationStyle.of(type).lists())
        .build();
  }

  private void collection(ResourceType type, String path, List<OperationParameters> shared) {
    var definition = definitions.add(type.shape());
    var kind = type.kind().kind();
    var name = operationName(type);
    if (type.verbs().contains("list")) {
      add(path, "get", list(type, name), shared);
    }
    if (type.verbs().contains("create")) {
      add(
          path,
          "post",
          operation(type, "create" + name, "create" + article(kind) + kind, "post")
              .with(OperationParameters.WRITE)
              .taking(definition, true)
              .answering(definition, "200", "201", "202")
              .build(),
          shared);
    }
    if (type.verbs().contains("deletecollection")) {
      var version = names(type).version();
      var id = "delete" + version + "Collection" + name.substring(version.length());
      var deletion = operation(type, id, "delete collection of " + kind, "deletecollection");
      add(path, "delete", options(deletion, type).answering(status(), "200").build(), shared);
    }
  }

  /** How to say what is to be deleted and how; of custom resources, clients know only what. */
  private OperationBuilder options(OperationBuilder deletion, ResourceType type) {
    return type.shape().isPublished()
        ? deletion.with(OperationParameters.LIST)
        : deletion.with(OperationParameters.DELETE_COLLECTION).taking(deleteOptions(), false);
  }

  private String deleteOptions() {
    return definitions.add(Schemas.struct(Schemas.META + "DeleteOptions"));
  }

  private String status() {
    return definitions.add(Schemas.struct(STATUS));
  }

  private void single(ResourceType type, String path, List<OperationParameters> shared) {
    var definition = definitions.add(type.shape());
    var named = "the specified " + type.kind().kind();
    readAndWrite(
        type, type.kind(), named, definition, path, operationName(type), type.verbs(), shared);
    if (type.verbs().contains("delete")) {
      add(
          path,
          "delete",
          operation(
                  type,
                  "delete" + operationName(type),
                  "delete" + article(type.kind().kind()) + type.kind().kind(),
                  "delete")
              .with(OperationParameters.DELETE)
              .taking(deleteOptions(), false)
              .answering(
                  ANSWERED_WITH_OBJECT.contains(type.kind().kind()) ? definition : status(),
                  "200",
                  "202")
              .build(),
          shared);
    }
  }

  private void readAndWrite(
      ResourceType type,
      GroupVersionKind kind,
      String what,
      String definition,
      String path,
      String name,
      Set<String> verbs,
      List<OperationParameters> shared) {
    var style = OperationStyle.of(type);
    if (verbs.contains("get")) {
      add(
          path,
          "get",
          operation(type, "read" + name, "read " + what, "get")
              .of(kind)
              .with(style.reads())
              .producing(definition.isEmpty() ? OperationStyle.LOG : style.produces())
              .answering(definition, "200")
              .build(),
          shared);
    }
    if (verbs.contains("update")) {
      add(
          path,
          "put",
          operation(type, "replace" + name, "replace " + what, "put")
              .of(kind)
              .with(OperationParameters.WRITE)
              .taking(definition, true)
              .answering(definition, "200", "201")
              .build(),
          shared);
    }
    if (verbs.contains("patch")) {
      add(
          path,
          "patch",
          operation(type, "patch" + name, "partially update " + what, "patch")
              .of(kind)
              .with(OperationParameters.PATCH)
              .taking(definitions.add(SpecialTypes.PATCH), true)
              .consuming(style.patches())
              .answering(definition, style.patchCodes())
              .build(),
          shared);
    }
  }

  private void subresource(
      ResourceType type, Subresource subresource, String path, List<OperationParameters> shared) {
    boolean own = subresource.kind().equals(type.kind());
    var shape = own ? type.shape() : Schemas.of(subresource.kind());
    var name = operationName(type) + OperationNames.capital(subresource.name());
    if (shape == null || isConnection(subresource)) {
      var taken = new ArrayList<>(shared);
      taken.remove(OperationParameters.PRETTY);
      taken.addAll(OperationParameters.ofConnection(subresource.name()));
      connection(type, subresource, path, name, taken);
      if (subresource.name().equals("proxy")) {
        taken.add(OperationParameters.PATH);
        connection(type, subresource, path + "/{path}", name + "WithPath", taken);
      }
      return;
    }
    if (subresource.verbs().contains("create")) {
      var definition = definitions.add(shape);
      add(
          path,
          "post",
          operation(
                  type,
                  "create" + name,
                  "create "
                      + subresource.name()
                      + " of"
                      + article(type.kind().kind())
                      + type.kind().kind(),
                  "post")
              .of(subresource.kind())
              .with(OperationParameters.WRITE)
              .taking(definition, true)
              .answering(definition, "200", "201", "202")
              .build(),
          shared);
      return;
    }
    var answer = subresource.name().equals("log") ? "" : definitions.add(shape);
    var what = subresource.name() + " of the specified " + type.kind().kind();
    var taken = new ArrayList<>(shared);
    taken.addAll(OperationParameters.ofConnection(subresource.name()));
    var kind = type.shape().isPublished() ? type.kind() : subresource.kind();
    readAndWrite(type, kind, what, answer, path, name, subresource.verbs(), taken);
  }

  private static boolean isConnection(Subresource subresource) {
    return subresource.kind().kind().endsWith("Options");
  }

  /** A subresource that connects to something behind the server and answers what that answers. */
  private void connection(
      ResourceType type,
      Subresource subresource,
      String path,
      String name,
      List<OperationParameters> shared) {
    var version = names(type).version();
    for (var method : METHODS) {
      boolean plain = !List.of("head", "options").contains(method.name());
      if (subresource.verbs().contains(method.verb())
          && (plain || subresource.name().equals("proxy"))) {
        var operation =
            operation(
                    type,
                    "connect"
                        + version
                        + OperationNames.capital(method.name())
                        + name.substring(version.length()),
                    "connect "
                        + method.name().toUpperCase(Locale.ROOT)
                        + " requests to "
                        + subresource.name()
                        + " of "
                        + type.kind().kind(),
                    "connect")
                .of(subresource.kind())
                .producing(OperationStyle.ANY)
                .answering("", "200")
                .build();
        add(path, method.name(), operation, shared);
      }
    }
  }

  private OperationBuilder operation(
      ResourceType type, String id, String description, String action) {
    return new OperationBuilder(
        id, names(type).tag(), description, action, type.kind(), OperationStyle.of(type));
  }
}
