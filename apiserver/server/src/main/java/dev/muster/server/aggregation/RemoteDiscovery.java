package dev.muster.server.aggregation;

import dev.muster.model.GroupVersion;
import dev.muster.model.json.JsonArray;
import dev.muster.registry.connect.ServiceBackend;
import dev.muster.server.aggregation.RemoteDocuments.Fetched;
import dev.muster.server.discovery.RemoteVersions;
import dev.muster.server.discovery.RemoteVersions.RemoteVersion;
import dev.muster.server.proxy.BackendException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The resources of aggregated API servers, for the discovery documents of this server. Thread-safe.
 */
public final class RemoteDiscovery {
  private static final Duration PATIENCE = Duration.ofSeconds(5);
  private static final String AGGREGATED =
      "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,"
          + "application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList";

  private final RemoteServers servers;
  private final RemoteDocuments<JsonArray> documents;
  private final DerivedDocument<JsonArray, RemoteVersions> versions;

  public RemoteDiscovery(RemoteServers servers) {
    this.servers = servers;
    this.documents = servers.documents("discovery", this::fetch);
    this.versions =
        new DerivedDocument<>(
            servers.apis(), documents, RemoteVersions.NONE, RemoteDiscovery::versions);
  }

  /** The task that keeps it up to date; it needs a thread of its own. */
  public Runnable upkeep() {
    return documents;
  }

  /** The current aggregated group versions; the same instance while nothing changes. */
  public RemoteVersions versions() {
    return versions.now();
  }

  private static RemoteVersions versions(
      Map<GroupVersion, AggregatedApi> apis, Map<String, Fetched<JsonArray>> fetched) {
    return new RemoteVersions(
        apis.values().stream().map(api -> version(api, fetched.get(api.name()))).toList());
  }

  private static RemoteVersion version(AggregatedApi api, @Nullable Fetched<JsonArray> fetched) {
    return new RemoteVersion(
        api.groupVersion(),
        api.priority(),
        Optional.ofNullable(fetched).flatMap(Fetched::document).orElse(JsonArray.EMPTY),
        fetched != null && fetched.current());
  }

  /**
   * Fetches one document for all resources of the server, or else the document of the group
   * version.
   */
  private JsonArray fetch(AggregatedApi api) throws BackendException, ServiceBackend.Missing {
    var whole = servers.get(api, "/apis", AGGREGATED, PATIENCE);
    if (whole.status() == 503) {
      throw new BackendException("service " + api.service() + " returned 503");
    }
    var type = whole.header("content-type");
    var version = api.groupVersion();
    if (whole.status() == 200
        && type.contains("g=apidiscovery.k8s.io")
        && type.contains("as=APIGroupDiscoveryList")) {
      return RemoteResources.ofAggregated(whole.object(), version.group(), version.version());
    }
    var own = servers.get(api, api.root(), "application/json", PATIENCE);
    if (own.status() != 200) {
      throw new BackendException(
          "failed to download legacy discovery for " + api.root() + ": " + own.status());
    }
    return RemoteResources.ofList(own.object());
  }
}
