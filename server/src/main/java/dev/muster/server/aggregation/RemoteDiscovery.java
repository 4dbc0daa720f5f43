package dev.muster.server.aggregation;

import dev.muster.model.GroupVersion;
import dev.muster.model.json.JsonArray;
import dev.muster.registry.connect.ServiceBackend;
import dev.muster.registry.types.SnapshotView;
import dev.muster.replica.Replica;
import dev.muster.server.aggregation.RemoteDocuments.Fetched;
import dev.muster.server.discovery.RemoteVersions;
import dev.muster.server.discovery.RemoteVersions.RemoteVersion;
import dev.muster.server.http.HttpAnswer.Header;
import dev.muster.server.proxy.ApiServerClient;
import dev.muster.server.proxy.BackendException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Safe for any thread. What the servers behind this one say about their resources, for the
 * discovery documents of this one.
 */
public final class RemoteDiscovery {
  private static final Duration PERIOD = Duration.ofMinutes(1);
  private static final Duration PATIENCE = Duration.ofSeconds(5);
  private static final int MOST_BYTES = 16 * 1024 * 1024;
  private static final String AGGREGATED =
      "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,"
          + "application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList";

  /** What the versions were made of. */
  private record Made(
      Map<GroupVersion, AggregatedApi> apis,
      Map<String, Fetched<JsonArray>> documents,
      RemoteVersions versions) {}

  private final AggregatedApis apis;
  private final AggregatedBackends backends;
  private final Replica replica;
  private final RemoteDocuments<JsonArray> documents;
  private volatile Made made = new Made(Map.of(), Map.of(), RemoteVersions.NONE);

  public RemoteDiscovery(
      AggregatedApis apis,
      AggregatedBackends backends,
      Replica replica,
      Executor threads,
      BooleanSupplier stopped) {
    this.apis = apis;
    this.backends = backends;
    this.replica = replica;
    this.documents =
        new RemoteDocuments<>("discovery", apis, this::fetch, PERIOD, replica, threads, stopped);
  }

  /** What keeps it up to date, for a thread of its own. */
  public Runnable upkeep() {
    return documents;
  }

  /** What others answer for now; the same instance while that is the same. */
  public RemoteVersions versions() {
    var now = apis.byVersion();
    var fetched = documents.now();
    var last = made;
    if (last.apis() == now && last.documents() == fetched) {
      return last.versions();
    }
    var versions =
        new RemoteVersions(
            now.values().stream().map(api -> version(api, fetched.get(api.name()))).toList());
    var same = versions.equals(last.versions()) ? last.versions() : versions;
    made = new Made(now, fetched, same);
    return same;
  }

  private static RemoteVersion version(AggregatedApi api, @Nullable Fetched<JsonArray> fetched) {
    return new RemoteVersion(
        api.groupVersion(),
        api.priority(),
        Optional.ofNullable(fetched).flatMap(Fetched::document).orElse(JsonArray.EMPTY),
        fetched != null && fetched.current());
  }

  /** The whole of a server's resources in one document, or those of the version in another. */
  private JsonArray fetch(AggregatedApi api) throws BackendException, ServiceBackend.Missing {
    var whole = get(api, "/apis", AGGREGATED);
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
    var own = get(api, api.root(), "application/json");
    if (own.status() != 200) {
      throw new BackendException(
          "failed to download legacy discovery for " + api.root() + ": " + own.status());
    }
    return RemoteResources.ofList(own.object());
  }

  private ApiServerClient.Answer get(AggregatedApi api, String path, String accept)
      throws BackendException, ServiceBackend.Missing {
    var destination = backends.destination(api, new SnapshotView(replica.current()), path, "");
    return backends.get(
        api, destination, List.of(new Header("accept", accept)), MOST_BYTES, PATIENCE);
  }
}
