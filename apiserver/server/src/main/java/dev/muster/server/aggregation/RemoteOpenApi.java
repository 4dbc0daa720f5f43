package dev.muster.server.aggregation;

import dev.muster.model.GroupVersion;
import dev.muster.model.json.JsonObject;
import dev.muster.openapi.RemoteSpecs;
import dev.muster.openapi.SwaggerMerge;
import dev.muster.registry.connect.ServiceBackend;
import dev.muster.server.aggregation.RemoteDocuments.Fetched;
import dev.muster.server.proxy.ApiServerClient;
import dev.muster.server.proxy.BackendException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Map;
import java.util.TreeMap;

/**
 * The OpenAPI documents of aggregated API servers, restricted to the group versions that they
 * serve: a server cannot describe APIs of another one. Thread-safe.
 */
public final class RemoteOpenApi {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final String V3 = "/openapi/v3/";

  /**
   * The documents of one server.
   *
   * @param address the path of its version 3 document; "" when it has none
   * @param swagger its version 2 document; empty when it has none
   */
  private record Published(String address, JsonObject swagger) {}

  private final RemoteServers servers;
  private final RemoteDocuments<Published> documents;
  private final DerivedDocument<Published, RemoteSpecs> specs;

  public RemoteOpenApi(RemoteServers servers) {
    this.servers = servers;
    this.documents = servers.documents("the OpenAPI documents", this::fetch);
    this.specs =
        new DerivedDocument<>(servers.apis(), documents, RemoteSpecs.NONE, RemoteOpenApi::specs);
  }

  /** The task that keeps it up to date; it needs a thread of its own. */
  public Runnable upkeep() {
    return documents;
  }

  /** The current documents; the same instance while nothing changes. */
  public RemoteSpecs now() {
    return specs.now();
  }

  private static RemoteSpecs specs(
      Map<GroupVersion, AggregatedApi> apis, Map<String, Fetched<Published>> fetched) {
    var addresses = new TreeMap<String, String>();
    var swaggers = new TreeMap<String, JsonObject>();
    for (var api : apis.values()) {
      var known = fetched.get(api.name());
      var published = known == null ? null : known.document().orElse(null);
      if (published != null && !published.address().isEmpty()) {
        addresses.put(api.root().substring(1), published.address());
      }
      if (published != null && !published.swagger().isEmpty()) {
        swaggers.put(api.name(), published.swagger());
      }
    }
    return new RemoteSpecs(addresses, new ArrayList<>(swaggers.values()));
  }

  private Published fetch(AggregatedApi api) throws BackendException, ServiceBackend.Missing {
    if (!api.available()) {
      throw new BackendException("service unavailable");
    }
    return new Published(address(api), swagger(api));
  }

  private String address(AggregatedApi api) throws BackendException, ServiceBackend.Missing {
    var index = get(api, "/openapi/v3");
    if (index.status() == 404) {
      return "";
    }
    requireFound(index);
    var path = api.root().substring(1);
    if (!(index.object().object("paths").get(path) instanceof JsonObject entry)) {
      return "";
    }
    var address = entry.string("serverRelativeURL");
    return address.equals(V3 + path) || address.startsWith(V3 + path + "?") ? address : V3 + path;
  }

  private JsonObject swagger(AggregatedApi api) throws BackendException, ServiceBackend.Missing {
    var document = get(api, "/openapi/v2");
    if (document.status() == 404) {
      return JsonObject.EMPTY;
    }
    requireFound(document);
    return SwaggerMerge.below(document.object(), api.root() + "/");
  }

  private static void requireFound(ApiServerClient.Answer answer) throws BackendException {
    if (answer.status() != 200) {
      throw new BackendException("bad status: " + answer.status());
    }
  }

  private ApiServerClient.Answer get(AggregatedApi api, String path)
      throws BackendException, ServiceBackend.Missing {
    return servers.get(api, path, "application/json", PATIENCE);
  }
}
