package dev.muster.controllers.policies;

import dev.muster.controllers.client.ApiRequests;
import dev.muster.controllers.client.JsonTrees;
import dev.muster.model.json.JsonObject;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Reads the OpenAPI schemas of the API server. A document is read again only when its address in
 * the index, which contains a hash, has changed. Thread-safe. Blocks the caller.
 */
final class OpenApiSchemas implements PublishedSchemas {
  private static final String JSON = "application/json";
  private static final int NOT_FOUND = 404;

  private final ApiRequests requests;
  private final Map<Kind, Read> read = new ConcurrentHashMap<>();

  /** The result of reading a document. */
  private record Read(String address, Optional<DeclaredType> type) {}

  OpenApiSchemas(ApiRequests requests) {
    this.requests = requests;
  }

  @Override
  public Optional<Kind> kind(String group, String version, String resource) {
    var answer = requests.send("GET", "/" + new Kind(group, version, "").path(), JSON);
    if (answer.code() == NOT_FOUND) {
      return Optional.empty();
    }
    return JsonTrees.object(answer.orThrow()).array("resources").objects().stream()
        .filter(served -> served.string("name").equals(resource))
        .map(served -> new Kind(group, version, served.string("kind")))
        .findFirst();
  }

  @Override
  public Map<Kind, DeclaredType> declared(List<Kind> kinds) {
    var declared = new LinkedHashMap<Kind, DeclaredType>();
    if (kinds.isEmpty()) {
      return declared;
    }
    var index =
        JsonTrees.object(requests.send("GET", "/openapi/v3", JSON).orThrow()).object("paths");
    var documents = new HashMap<String, JsonObject>();
    for (var kind : kinds) {
      var address = index.object(kind.path()).string("serverRelativeURL");
      if (address.isEmpty()) {
        read.remove(kind);
        continue;
      }
      var known = read.get(kind);
      if (known == null || !known.address().equals(address)) {
        known = new Read(address, find(documents.computeIfAbsent(address, this::schemas), kind));
        read.put(kind, known);
      }
      known.type().ifPresent(type -> declared.put(kind, type));
    }
    return declared;
  }

  private JsonObject schemas(String address) {
    return JsonTrees.object(requests.send("GET", address, JSON).orThrow())
        .object("components")
        .object("schemas");
  }

  private static Optional<DeclaredType> find(JsonObject schemas, Kind kind) {
    for (int i = 0; i < schemas.size(); i++) {
      if (schemas.value(i) instanceof JsonObject schema && isOf(schema, kind)) {
        return Optional.of(DeclaredType.of(kind.qualified(), schema, schemas));
      }
    }
    return Optional.empty();
  }

  private static boolean isOf(JsonObject schema, Kind kind) {
    return schema.array("x-kubernetes-group-version-kind").objects().stream()
        .anyMatch(
            said ->
                said.string("group").equals(kind.group())
                    && said.string("version").equals(kind.version())
                    && said.string("kind").equals(kind.name()));
  }
}
