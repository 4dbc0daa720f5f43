package dev.muster.server.discovery;

import dev.muster.model.GroupVersion;
import dev.muster.model.GroupVersionKind;
import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonObject;
import dev.muster.schema.ResourceType.Subresource;
import dev.muster.server.discovery.RemoteVersions.RemoteVersion;
import dev.muster.server.discovery.ServedGroups.Local;
import dev.muster.server.discovery.ServedGroups.Remote;
import dev.muster.server.discovery.ServedGroups.Served;
import dev.muster.types.Derivation;
import dev.muster.types.ServedType;
import dev.muster.types.Types;
import dev.muster.types.VersionTypes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The discovery documents of one set of types, as objects. The part of a group version is built
 * once and reused while its types are the same. Immutable.
 */
public final class DiscoveryDocuments {
  private static final JsonArray CUSTOM_VERBS =
      JsonArray.ofStrings(
          List.of(
              "delete", "deletecollection", "get", "list", "patch", "create", "update", "watch"));

  private static final Derivation<VersionTypes, JsonObject> RESOURCE_LISTS =
      new Derivation<>(DiscoveryDocuments::resourceList);
  private static final Derivation<VersionTypes, JsonObject> AGGREGATED =
      new Derivation<>(DiscoveryDocuments::aggregatedLocal);

  private final Types types;
  private final ServedGroups groups;

  /** Without the APIs of aggregated API servers. */
  public DiscoveryDocuments(Types types) {
    this(types, RemoteVersions.NONE);
  }

  public DiscoveryDocuments(Types types, RemoteVersions remote) {
    this.types = types;
    this.groups = ServedGroups.of(types, remote);
  }

  /** The document of {@code /api}. */
  public JsonObject apiVersions(String serverAddress) {
    return JsonObject.of(
        "kind",
        "APIVersions",
        "versions",
        JsonArray.ofStrings(versions("").toList()),
        "serverAddressByClientCIDRs",
        JsonArray.of(JsonObject.of("clientCIDR", "0.0.0.0/0", "serverAddress", serverAddress)));
  }

  private Stream<String> versions(String group) {
    return groups.versions(group).stream().map(served -> served.groupVersion().version());
  }

  /** The document of {@code /apis}. */
  public JsonObject groupList() {
    var items = new ArrayList<Json>();
    for (var group : groups.names()) {
      if (!group.isEmpty()) {
        items.add(groupBody(group));
      }
    }
    return JsonObject.of("kind", "APIGroupList", "apiVersion", "v1", "groups", JsonArray.of(items));
  }

  /** The document of {@code /apis/<group>}, or null when the group is not served. */
  public @Nullable JsonObject group(String group) {
    if (group.isEmpty() || groups.versions(group).isEmpty()) {
      return null;
    }
    var body = JsonObject.builder().put("kind", "APIGroup").put("apiVersion", "v1");
    var rest = groupBody(group);
    for (int i = 0; i < rest.size(); i++) {
      body.put(rest.key(i), rest.value(i));
    }
    return body.build();
  }

  public boolean hasGroup(String group) {
    return !groups.versions(group).isEmpty();
  }

  private JsonObject groupBody(String group) {
    var versions = new ArrayList<Json>();
    for (var served : groups.versions(group)) {
      var name = served.groupVersion();
      versions.add(JsonObject.of("groupVersion", name.toString(), "version", name.version()));
    }
    return JsonObject.of(
        "name", group, "versions", JsonArray.of(versions), "preferredVersion", versions.getFirst());
  }

  /**
   * The document of {@code /api/v1} or {@code /apis/<group>/<version>}, or null when it is not
   * served.
   */
  public @Nullable JsonObject resourceList(String group, String version) {
    var served = types.version(new GroupVersion(group, version));
    return served == null ? null : RESOURCE_LISTS.of(served);
  }

  private static JsonObject resourceList(VersionTypes served) {
    var resources = new ArrayList<JsonObject>();
    for (var type : served.types()) {
      if (!type.verbs().isEmpty()) {
        resources.add(resource(type));
      }
      for (var subresource : type.subresources()) {
        resources.add(subresource(type, subresource));
      }
    }
    if (served.types().stream().noneMatch(ServedType::isCustom)) {
      resources.sort(Comparator.comparing(resource -> resource.string("name")));
    }
    var body = JsonObject.builder().put("kind", "APIResourceList");
    if (!served.groupVersion().group().isEmpty()) {
      body.put("apiVersion", "v1");
    }
    return body.put("groupVersion", served.groupVersion().toString())
        .put("resources", JsonArray.of(resources))
        .build();
  }

  private static JsonObject resource(ServedType type) {
    var body =
        JsonObject.builder()
            .put("name", type.plural())
            .put("singularName", type.singular())
            .put("namespaced", type.namespaced())
            .put("kind", type.kind().kind())
            .put("verbs", verbs(type));
    if (!type.shortNames().isEmpty()) {
      body.put("shortNames", JsonArray.ofStrings(type.shortNames()));
    }
    if (!type.categories().isEmpty()) {
      body.put("categories", JsonArray.ofStrings(type.categories()));
    }
    if (type.isStored()) {
      body.put("storageVersionHash", type.storageVersionHash());
    }
    return body.build();
  }

  private static JsonObject subresource(ServedType type, Subresource subresource) {
    var body =
        JsonObject.builder()
            .put("name", type.plural() + "/" + subresource.name())
            .put("singularName", "")
            .put("namespaced", type.namespaced());
    if (!subresource.kind().groupVersion().equals(type.groupVersion())) {
      body.putIf("group", subresource.kind().group()).put("version", subresource.kind().version());
    }
    return body.put("kind", subresource.kind().kind())
        .put("verbs", sorted(subresource.verbs()))
        .build();
  }

  /** kube-apiserver lists the verbs of custom resources in another order. */
  private static JsonArray verbs(ServedType type) {
    return type.isCustom() ? CUSTOM_VERBS : sorted(type.verbs());
  }

  private static JsonArray sorted(Set<String> verbs) {
    return JsonArray.ofStrings(new TreeSet<>(verbs));
  }

  /** Aggregated discovery of the core group ({@code /api}) or of all others ({@code /apis}). */
  public JsonObject aggregated(boolean core) {
    var items = new ArrayList<Json>();
    for (var group : groups.names()) {
      if (group.isEmpty() == core) {
        items.add(aggregatedGroup(group));
      }
    }
    return JsonObject.of(
        "kind",
        "APIGroupDiscoveryList",
        "apiVersion",
        "apidiscovery.k8s.io/v2",
        "metadata",
        JsonObject.EMPTY,
        "items",
        JsonArray.of(items));
  }

  private JsonObject aggregatedGroup(String group) {
    return JsonObject.of(
        "metadata",
        group.isEmpty() ? JsonObject.EMPTY : JsonObject.of("name", group),
        "versions",
        JsonArray.of(
            groups.versions(group).stream().map(DiscoveryDocuments::aggregatedVersion).toList()));
  }

  private static JsonObject aggregatedVersion(Served served) {
    return switch (served) {
      case Local(var local) -> AGGREGATED.of(local);
      case Remote(var remote) -> aggregatedVersion(remote);
    };
  }

  private static JsonObject aggregatedVersion(RemoteVersion remote) {
    var body = JsonObject.builder().put("version", remote.groupVersion().version());
    if (!remote.resources().isEmpty()) {
      body.put("resources", remote.resources());
    }
    return body.put("freshness", remote.current() ? "Current" : "Stale").build();
  }

  private static JsonObject aggregatedLocal(VersionTypes served) {
    return JsonObject.of(
        "version",
        served.groupVersion().version(),
        "resources",
        JsonArray.of(served.types().stream().map(DiscoveryDocuments::aggregatedResource).toList()),
        "freshness",
        "Current");
  }

  private static JsonObject aggregatedResource(ServedType type) {
    var body =
        JsonObject.builder()
            .put("resource", type.plural())
            .put("responseKind", responseKind(type, type.kind()))
            .put("scope", type.namespaced() ? "Namespaced" : "Cluster")
            .put("singularResource", type.singular())
            .put("verbs", verbs(type));
    if (!type.shortNames().isEmpty()) {
      body.put("shortNames", JsonArray.ofStrings(type.shortNames()));
    }
    if (!type.categories().isEmpty()) {
      body.put("categories", JsonArray.ofStrings(type.categories()));
    }
    if (!type.subresources().isEmpty()) {
      var subresources = new ArrayList<JsonObject>();
      for (var subresource : type.subresources()) {
        subresources.add(
            JsonObject.of(
                "subresource",
                subresource.name(),
                "responseKind",
                responseKind(type, subresource.kind()),
                "verbs",
                sorted(subresource.verbs())));
      }
      if (!type.isCustom()) {
        subresources.sort(Comparator.comparing(s -> s.string("subresource")));
      }
      body.put("subresources", JsonArray.of(subresources));
    }
    return body.build();
  }

  /** A kind of a built-in type's own group and version is shown without them. */
  private static JsonObject responseKind(ServedType type, GroupVersionKind kind) {
    boolean own = !type.isCustom() && kind.groupVersion().equals(type.groupVersion());
    return JsonObject.of(
        "group",
        own ? "" : kind.group(),
        "version",
        own ? "" : kind.version(),
        "kind",
        kind.kind());
  }
}
