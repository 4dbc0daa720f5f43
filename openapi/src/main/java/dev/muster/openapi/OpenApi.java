package dev.muster.openapi;

import dev.muster.model.GroupVersion;
import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonObject;
import dev.muster.schema.ResourceType;
import dev.muster.schema.Schemas;
import dev.muster.wire.JsonReader;
import dev.muster.wire.JsonWriter;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
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

  /** A document with the tag that changes when it does. */
  public record Rendered(byte[] bytes, String hash) {
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
  private static final GroupVersion CORE = GroupVersion.parse("v1");
  private static final JsonArray SECURITY =
      JsonArray.of(JsonObject.of("BearerToken", JsonArray.EMPTY));

  private static final List<String> JSON = List.of("application/json");

  /** Documents of the server itself, by their paths. */
  private static final Map<String, Content> ROOTS =
      Map.of(
          ".well-known/openid-configuration",
          OpenApi::issuer,
          "api",
          OpenApi::coreVersions,
          "apis",
          OpenApi::groupList,
          "openid/v1/jwks",
          OpenApi::issuerKeys,
          "version",
          OpenApi::serverVersion);

  private final List<ResourceType> types;
  private final Map<GroupVersion, List<ResourceType>> versions = new LinkedHashMap<>();
  private final String version;
  private final Shelves shelves;
  private volatile Others others = new Others(RemoteSpecs.NONE, new ConcurrentHashMap<>());

  /** Documents together with what other servers publish. */
  private record Others(RemoteSpecs remote, Map<String, Rendered> rendered) {}

  /** Where documents are kept that were made; the maps are safe for any thread. */
  public interface Shelves {
    /** Those about one version of a group: the same map while its types are the same. */
    Map<String, Rendered> of(GroupVersion groupVersion);

    /** Those about all types: the same map while all types are the same. */
    Map<String, Rendered> ofAll();
  }

  /** Keeps everything as long as itself. */
  private static final class OwnShelves implements Shelves {
    private final Map<String, Rendered> all = new ConcurrentHashMap<>();

    @Override
    public Map<String, Rendered> of(GroupVersion groupVersion) {
      return all;
    }

    @Override
    public Map<String, Rendered> ofAll() {
      return all;
    }
  }

  /** The documents of types that do not change. */
  public OpenApi(List<ResourceType> types, String version) {
    this(types, version, new OwnShelves());
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
  }

  /** Version 2, in JSON. */
  public Rendered v2() {
    return once(shelves.ofAll(), "v2", () -> JsonWriter.bytes(document2()));
  }

  /** Version 2, in protobuf. */
  public Rendered v2Protobuf() {
    return once(shelves.ofAll(), "v2.pb", () -> OpenApiProtobuf.document(document2()));
  }

  /** The list of the documents of version 3, with the addresses that name their content. */
  public Rendered index() {
    return once(
        shelves.ofAll(),
        "v3",
        () -> {
          var paths = JsonObject.builder();
          for (var path : paths().keySet()) {
            var document = v3(path);
            if (document != null) {
              paths.put(
                  path,
                  JsonObject.of(
                      "serverRelativeURL", "/openapi/v3/" + path + "?hash=" + document.hash()));
            }
          }
          return JsonWriter.bytes(JsonObject.of("paths", paths.build()));
        });
  }

  /** Version 2 with what other servers publish, in JSON. */
  public Rendered v2(RemoteSpecs remote) {
    return remote.swaggers().isEmpty()
        ? v2()
        : once(with(remote), "v2", () -> JsonWriter.bytes(merged2(remote)));
  }

  /** Version 2 with what other servers publish, in protobuf. */
  public Rendered v2Protobuf(RemoteSpecs remote) {
    return remote.swaggers().isEmpty()
        ? v2Protobuf()
        : once(with(remote), "v2.pb", () -> OpenApiProtobuf.document(merged2(remote)));
  }

  /** The list of the documents of version 3, those of other servers included. */
  public Rendered index(RemoteSpecs remote) {
    return remote.addresses().isEmpty()
        ? index()
        : once(with(remote), "v3", () -> JsonWriter.bytes(merged3(remote)));
  }

  private JsonObject merged2(RemoteSpecs remote) {
    return SwaggerMerge.of(document2(), remote.swaggers());
  }

  private JsonObject merged3(RemoteSpecs remote) {
    var all = new TreeMap<String, Json>();
    var own = ((JsonObject) JsonReader.read(index().bytes())).object("paths");
    for (int i = 0; i < own.size(); i++) {
      all.put(own.key(i), own.value(i));
    }
    remote
        .addresses()
        .forEach((path, address) -> all.put(path, JsonObject.of("serverRelativeURL", address)));
    var paths = JsonObject.builder();
    all.forEach(paths::put);
    return JsonObject.of("paths", paths.build());
  }

  /** Where documents are kept while other servers publish the same. */
  private Map<String, Rendered> with(RemoteSpecs remote) {
    var last = others;
    if (last.remote() != remote) {
      last = new Others(remote, new ConcurrentHashMap<>());
      others = last;
    }
    return last.rendered();
  }

  /**
   * A document of version 3.
   *
   * @param path what it is about, such as {@code apis/apps/v1}
   * @return null when there is none of that path
   */
  public @Nullable Rendered v3(String path) {
    var maker = paths().get(path);
    return maker == null
        ? null
        : once(maker.shelf(), "v3/" + path, () -> JsonWriter.bytes(maker.document().get()));
  }

  private static Rendered once(
      Map<String, Rendered> rendered, String name, Supplier<byte[]> maker) {
    var known = rendered.get(name);
    if (known == null) {
      var bytes = maker.get();
      known = new Rendered(bytes, hash(bytes));
      rendered.putIfAbsent(name, known);
    }
    return known;
  }

  private static String hash(byte[] bytes) {
    try {
      var digest = MessageDigest.getInstance("SHA-512").digest(bytes);
      return HexFormat.of().withUpperCase().formatHex(digest);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  private JsonObject info() {
    return JsonObject.of("title", "Kubernetes", "version", version);
  }

  private JsonObject document2() {
    var known = new ArrayList<>(versions.keySet());
    ExtraMarks.KNOWN_VERSIONS.forEach(version -> known.add(GroupVersion.parse(version)));
    var definitions = definitions(Dialect.V2, known);
    var paths = new Paths(Dialect.V2, definitions);
    types.forEach(paths::resource);
    discovery(paths, definitions);
    definitions.add(Schemas.struct(Schemas.META + "WatchEvent"));
    return JsonObject.of(
        "swagger",
        "2.0",
        "info",
        info(),
        "paths",
        paths.all(),
        "definitions",
        definitions.all(),
        "parameters",
        OperationParameters.definitions(),
        "securityDefinitions",
        BEARER,
        "security",
        SECURITY);
  }

  private void discovery(Paths paths, Definitions definitions) {
    var groups = new TreeMap<String, Boolean>();
    for (var served : versions.keySet()) {
      versionDocument(paths, definitions, served);
      groups.put(served.group(), true);
    }
    groups.keySet().forEach(group -> groupDocument(paths, definitions, group));
    ROOTS.values().forEach(root -> root.add(paths, definitions));
  }

  private static void versionDocument(Paths paths, Definitions definitions, GroupVersion served) {
    paths.document(
        Paths.root(served) + "/",
        "get" + Paths.name(served) + "APIResources",
        Paths.tag(served),
        "get available resources",
        definitions.add(Schemas.struct(Schemas.META + "APIResourceList")));
  }

  private static void groupDocument(Paths paths, Definitions definitions, String group) {
    if (!group.isEmpty()) {
      var name = Paths.groupName(group);
      paths.document(
          "/apis/" + group + "/",
          "get" + name + "APIGroup",
          name.substring(0, 1).toLowerCase(java.util.Locale.ROOT) + name.substring(1),
          "get information of a group",
          definitions.add(Schemas.struct(Schemas.META + "APIGroup")));
    }
  }

  private static void coreVersions(Paths paths, Definitions definitions) {
    paths.document(
        "/api/",
        "getCoreAPIVersions",
        "core",
        "get available API versions",
        definitions.add(Schemas.struct(Schemas.META + "APIVersions")));
  }

  private static void groupList(Paths paths, Definitions definitions) {
    paths.document(
        "/apis/",
        "getAPIVersions",
        "apis",
        "get available API versions",
        definitions.add(Schemas.struct(Schemas.META + "APIGroupList")));
  }

  private static void serverVersion(Paths paths, Definitions definitions) {
    paths.document(
        "/version/",
        "getCodeVersion",
        "version",
        "get the version information for this server",
        definitions.add(SpecialTypes.VERSION_INFO),
        JSON,
        JSON);
  }

  private static void issuer(Paths paths, Definitions definitions) {
    paths.document(
        "/.well-known/openid-configuration/",
        "getServiceAccountIssuerOpenIDConfiguration",
        "WellKnown",
        "get where and how tokens of service accounts are verified",
        "",
        List.of(),
        JSON);
  }

  private static void issuerKeys(Paths paths, Definitions definitions) {
    paths.document(
        "/openid/v1/jwks/",
        "getServiceAccountIssuerOpenIDKeyset",
        "openid",
        "get the keys that verify tokens of service accounts",
        "",
        List.of(),
        List.of("application/jwk-set+json"));
  }

  private Definitions definitions(Dialect dialect, Collection<GroupVersion> everywhere) {
    var definitions = new Definitions(dialect, Descriptions.load(), everywhere);
    types.forEach(type -> definitions.name(type.shape(), type.kind()));
    return definitions;
  }

  /** What there is a document of version 3 for, and how to make it. */
  private Map<String, Maker> paths() {
    var makers = new TreeMap<String, Maker>();
    versions.forEach(
        (served, ofVersion) -> {
          makers.put(
              Paths.root(served).substring(1),
              new Maker(shelves.of(served), () -> document3(served, resources(served, ofVersion))));
          if (!served.group().isEmpty()) {
            makers.put(
                "apis/" + served.group(),
                new Maker(
                    shelves.ofAll(),
                    () ->
                        document3(
                            served,
                            (paths, definitions) ->
                                groupDocument(paths, definitions, served.group()))));
          }
        });
    ROOTS.forEach(
        (root, content) ->
            makers.put(root, new Maker(shelves.ofAll(), () -> document3(CORE, content))));
    return makers;
  }

  /** How to make a document, and where it is kept. */
  private record Maker(Map<String, Rendered> shelf, Supplier<JsonObject> document) {}

  private static Content resources(GroupVersion served, List<ResourceType> ofVersion) {
    return (paths, definitions) -> {
      versionDocument(paths, definitions, served);
      ofVersion.forEach(paths::resource);
      if (ofVersion.stream().anyMatch(OpenApi::isWatched)) {
        definitions.add(Schemas.struct(Schemas.META + "WatchEvent"));
      }
    };
  }

  private static boolean isWatched(ResourceType type) {
    return type.verbs().contains("watch");
  }

  private interface Content {
    void add(Paths paths, Definitions definitions);
  }

  private JsonObject document3(GroupVersion version, Content content) {
    var definitions = definitions(Dialect.V3, List.of(CORE, version));
    var paths = new Paths(Dialect.V3, definitions);
    content.add(paths, definitions);
    return JsonObject.of(
        "openapi",
        "3.0.0",
        "info",
        info(),
        "paths",
        paths.all(),
        "components",
        (definitions.all().isEmpty()
                ? JsonObject.EMPTY
                : JsonObject.of("schemas", definitions.all()))
            .with("securitySchemes", BEARER));
  }
}
