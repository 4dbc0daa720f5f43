package dev.muster.openapi;

import dev.muster.model.GroupVersion;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonObject;
import dev.muster.schema.ResourceType;
import dev.muster.schema.Schemas;
import dev.muster.wire.Bytes;
import dev.muster.wire.JsonWriter;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The OpenAPI documents of a server. Each is made when it is first asked for and kept. Safe for any
 * number of threads.
 */
public final class OpenApi {
  /**
   * The media type of version 2 in protobuf. Clients also ask for it by its older name with an
   * {@code @}, which is no media type and is never answered.
   */
  public static final String V2_PROTOBUF =
      "application/com.github.proto-openapi.spec.v2.v1.0+protobuf";

  /**
   * A document with the tag that changes when it does.
   *
   * @param pieces its bytes in order, which documents share; never to be changed
   */
  public record Rendered(List<byte[]> pieces, String hash) {
    static Rendered of(List<byte[]> pieces) {
      return new Rendered(pieces, ContentHash.of(pieces));
    }

    /** A copy of all bytes. */
    public byte[] bytes() {
      var all = new Bytes(pieces.stream().mapToInt(piece -> piece.length).sum());
      pieces.forEach(all::add);
      return all.toArray();
    }

    public String etag() {
      return "\"" + hash + "\"";
    }
  }

  private static final JsonObject BEARER =
      JsonObject.of(
          "BearerToken",
          JsonObject.of(
              "description",
              "Bearer Token authentication",
              "in",
              "header",
              "name",
              "authorization",
              "type",
              "apiKey"));

  /** Room for the definition of most custom resources. */
  private static final int PAPER = 128 * 1024;

  private static final GroupVersion CORE = GroupVersion.parse("v1");

  /** What documents about custom resources alone are called. */
  private static final JsonObject CUSTOM_INFO =
      JsonObject.of("title", "Kubernetes CRD Swagger", "version", "v0.1.0");

  private static final JsonArray SECURITY =
      JsonArray.of(JsonObject.of("BearerToken", JsonArray.EMPTY));

  /** What custom resources refer to. */
  private static final List<String> SHARED =
      List.of(
          Schemas.META + "DeleteOptions",
          Schemas.META + "ListMeta",
          Schemas.META + "ObjectMeta",
          Schemas.META + "Status",
          "io.k8s.api.autoscaling.v1.Scale",
          SpecialTypes.PATCH.definition());

  private final List<ResourceType> types;
  private final Map<GroupVersion, List<ResourceType>> versions = new LinkedHashMap<>();
  private final String version;
  private final Shelves shelves;
  private final Map<String, Maker> makers;
  private final MergedDocuments others = new MergedDocuments(this);

  /** Where that is kept which was made; the maps are safe for any thread. */
  public interface Shelves {
    /** Documents about one version of a group: the same map while its types are the same. */
    Map<String, Rendered> of(GroupVersion groupVersion);

    /** Documents about all types: the same map while all types are the same. */
    Map<String, Rendered> ofAll();

    /** What a custom resource adds to documents: the same map while its type is the same. */
    Map<String, Fragment> of(ResourceType custom);

    /** What the built-in resources add to documents: always the same map. */
    Map<String, Fragment> ofBuiltIn();
  }

  /** The documents of types that do not change. */
  public OpenApi(List<ResourceType> types, String version) {
    this(types, version, new UnboundedCache());
  }

  /**
   * @param types what is served
   * @param version the version that the documents name, such as {@code 1.36}
   */
  public OpenApi(List<ResourceType> types, String version, Shelves shelves) {
    this.types = List.copyOf(types);
    for (var type : types) {
      versions.computeIfAbsent(type.groupVersion(), ignored -> new ArrayList<>()).add(type);
    }
    this.version = version;
    this.shelves = shelves;
    this.makers = makers();
  }

  /** Version 2, in JSON. */
  public Rendered v2() {
    return once(shelves.ofAll(), "v2", () -> swagger(Fragment.Form.JSON));
  }

  /** Describes what is built in for {@link #v2()}, before somebody asks. */
  public void prepare() {
    var _ = builtInOnce(Fragment.Form.JSON);
  }

  /** Version 2, in protobuf. */
  public Rendered v2Protobuf() {
    return once(shelves.ofAll(), "v2.pb", () -> swagger(Fragment.Form.PROTOBUF));
  }

  /** The list of the documents of version 3, with the addresses that name their content. */
  public Rendered index() {
    return once(
        shelves.ofAll(),
        "v3",
        () -> {
          var paths = JsonObject.builder();
          for (var path : makers.keySet()) {
            var document = v3(path);
            if (document != null) {
              paths.put(
                  path,
                  JsonObject.of(
                      "serverRelativeURL", "/openapi/v3/" + path + "?hash=" + document.hash()));
            }
          }
          return List.of(JsonWriter.bytes(JsonObject.of("paths", paths.build())));
        });
  }

  /** Version 2 with what other servers publish, in JSON. */
  public Rendered v2(RemoteSpecs remote) {
    return remote.swaggers().isEmpty() ? v2() : others.v2(remote);
  }

  /** Version 2 with what other servers publish, in protobuf. */
  public Rendered v2Protobuf(RemoteSpecs remote) {
    return remote.swaggers().isEmpty() ? v2Protobuf() : others.v2Protobuf(remote);
  }

  /** The list of the documents of version 3, those of other servers included. */
  public Rendered index(RemoteSpecs remote) {
    return remote.addresses().isEmpty() ? index() : others.index(remote);
  }

  /**
   * A document of version 3.
   *
   * @param path what it is about, such as {@code apis/apps/v1}
   * @return null when there is none of that path
   */
  public @Nullable Rendered v3(String path) {
    var maker = makers.get(path);
    return maker == null ? null : once(maker.shelf(), "v3/" + path, maker.document());
  }

  /** What is kept under that name, made if it is not there. */
  static Rendered once(Map<String, Rendered> rendered, String name, Supplier<List<byte[]>> maker) {
    var known = rendered.get(name);
    if (known == null) {
      known = Rendered.of(maker.get());
      rendered.putIfAbsent(name, known);
    }
    return known;
  }

  private JsonObject info() {
    return JsonObject.of("title", "Kubernetes", "version", version);
  }

  /**
   * Version 2: what is built in, and what each custom resource adds. The first time, either may
   * take a tenth of a second, so that they are made at the same time.
   */
  private List<byte[]> swagger(Fragment.Form form) {
    var builtIn =
        CompletableFuture.supplyAsync(() -> builtInOnce(form), Thread::startVirtualThread);
    var custom = custom(types, Dialect.V2, form);
    var fragments = new ArrayList<Fragment>();
    fragments.add(builtIn.join());
    fragments.addAll(custom);
    return DocumentPieces.swagger(
        JsonObject.of("swagger", "2.0", "info", info()),
        fragments,
        JsonObject.of(
            "parameters",
            OperationParameters.definitions(),
            "securityDefinitions",
            BEARER,
            "security",
            SECURITY),
        form);
  }

  private Fragment builtInOnce(Fragment.Form form) {
    return shelves.ofBuiltIn().computeIfAbsent(form.name(), ignored -> builtIn(form));
  }

  private Fragment builtIn(Fragment.Form form) {
    var definitions = definitions(Dialect.V2, builtIn());
    var paths = new Paths(Dialect.V2, definitions);
    types.stream().filter(type -> !isCustom(type)).forEach(paths::resource);
    discovery(paths, definitions);
    ServerPaths.ROOTS.values().forEach(root -> root.add(paths, definitions));
    definitions.add(Schemas.struct(Schemas.META + "WatchEvent"));
    definitions.addShared(SHARED);
    return Fragment.of(paths, definitions, form, paper());
  }

  /** What the custom ones among some resources add, made where it has not been made before. */
  private List<Fragment> custom(List<ResourceType> some, Dialect dialect, Fragment.Form form) {
    var name = dialect + " " + form;
    var paper = paper();
    return some.stream()
        .filter(OpenApi::isCustom)
        .map(
            type ->
                shelves
                    .of(type)
                    .computeIfAbsent(name, ignored -> Fragment.of(type, dialect, form, paper)))
        .toList();
  }

  private static Bytes paper() {
    return new Bytes(PAPER);
  }

  private static boolean isCustom(ResourceType type) {
    return type.shape().isPublished();
  }

  private static boolean isCustom(List<ResourceType> ofVersion) {
    return ofVersion.stream().allMatch(OpenApi::isCustom);
  }

  /** The versions that are not custom, and those that are only known. */
  private List<GroupVersion> builtIn() {
    var known = new ArrayList<GroupVersion>();
    versions.forEach(
        (served, ofVersion) -> {
          if (!isCustom(ofVersion)) {
            known.add(served);
          }
        });
    ExtraMarks.KNOWN_VERSIONS.forEach(version -> known.add(GroupVersion.parse(version)));
    return known;
  }

  /** Discovery of what is built in; that of custom versions and groups is in no document. */
  private void discovery(Paths paths, Definitions definitions) {
    versions.forEach(
        (served, ofVersion) -> {
          if (!isCustom(ofVersion)) {
            ServerPaths.ofVersion(paths, definitions, served);
            ServerPaths.ofGroup(paths, definitions, served.group());
          }
        });
  }

  private Definitions definitions(Dialect dialect, Collection<GroupVersion> everywhere) {
    var definitions = new Definitions(dialect, everywhere);
    types.stream()
        .filter(type -> !isCustom(type))
        .forEach(type -> definitions.name(type.shape(), type.kind()));
    return definitions;
  }

  /** What there is a document of version 3 for, and how to make it. */
  private Map<String, Maker> makers() {
    var makers = new TreeMap<String, Maker>();
    versions.forEach(
        (served, ofVersion) -> {
          var path = Paths.root(served).substring(1);
          if (isCustom(ofVersion)) {
            makers.put(path, new Maker(shelves.of(served), () -> customDocument3(ofVersion)));
            return;
          }
          makers.put(
              path,
              new Maker(
                  shelves.of(served),
                  () -> document3(served, resources(served, ofVersion), ofVersion)));
          if (!served.group().isEmpty()) {
            makers.put(
                "apis/" + served.group(),
                new Maker(
                    shelves.ofAll(),
                    () ->
                        document3(
                            served,
                            (paths, definitions) ->
                                ServerPaths.ofGroup(paths, definitions, served.group()),
                            List.of())));
          }
        });
    ServerPaths.ROOTS.forEach(
        (root, content) ->
            makers.put(
                root, new Maker(shelves.ofAll(), () -> document3(CORE, content, List.of()))));
    return makers;
  }

  /** How to make a document, and where it is kept. */
  private record Maker(Map<String, Rendered> shelf, Supplier<List<byte[]>> document) {}

  private static ServerPaths.Content resources(GroupVersion served, List<ResourceType> ofVersion) {
    return (paths, definitions) -> {
      ServerPaths.ofVersion(paths, definitions, served);
      ofVersion.stream().filter(type -> !isCustom(type)).forEach(paths::resource);
      if (ofVersion.stream().anyMatch(OpenApi::isWatched)) {
        definitions.add(Schemas.struct(Schemas.META + "WatchEvent"));
      }
    };
  }

  private static boolean isWatched(ResourceType type) {
    return type.verbs().contains("watch");
  }

  private List<byte[]> document3(
      GroupVersion version, ServerPaths.Content content, List<ResourceType> ofVersion) {
    var custom = custom(ofVersion, Dialect.V3, Fragment.Form.JSON);
    var definitions = definitions(Dialect.V3, List.of(CORE, version));
    var paths = new Paths(Dialect.V3, definitions);
    content.add(paths, definitions);
    definitions.addShared(Fragment.shared(custom));
    var fragments = new ArrayList<Fragment>();
    fragments.add(Fragment.of(paths, definitions, Fragment.Form.JSON, paper()));
    fragments.addAll(custom);
    return DocumentPieces.openApi(
        JsonObject.of("openapi", "3.0.0", "info", info()),
        fragments,
        JsonObject.of("securitySchemes", BEARER));
  }

  /** A document about custom resources alone. */
  private List<byte[]> customDocument3(List<ResourceType> ofVersion) {
    var custom = custom(ofVersion, Dialect.V3, Fragment.Form.JSON);
    var shared = Fragment.shared(custom);
    var fragments = new ArrayList<Fragment>();
    fragments.add(
        shelves.ofBuiltIn().computeIfAbsent("V3 " + shared, ignored -> definitions3(shared)));
    fragments.addAll(custom);
    return DocumentPieces.openApi(
        JsonObject.of("openapi", "3.0.0", "info", CUSTOM_INFO), fragments, JsonObject.EMPTY);
  }

  private Fragment definitions3(Set<String> shared) {
    var definitions = definitions(Dialect.V3, builtIn());
    definitions.addShared(shared);
    return Fragment.of(
        new Paths(Dialect.V3, definitions), definitions, Fragment.Form.JSON, paper());
  }
}
