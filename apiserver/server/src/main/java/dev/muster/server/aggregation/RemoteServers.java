package dev.muster.server.aggregation;

import dev.muster.http.Header;
import dev.muster.registry.connect.ServiceBackend;
import dev.muster.replica.Replica;
import dev.muster.server.proxy.ApiServerClient;
import dev.muster.server.proxy.BackendException;
import dev.muster.types.SnapshotView;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;

/**
 * Fetches documents from aggregated API servers. Thread-safe.
 *
 * @param threads run the fetches
 * @param stopped whether fetching has ended
 */
public record RemoteServers(
    AggregatedApis apis,
    AggregatedBackends backends,
    Replica replica,
    Executor threads,
    BooleanSupplier stopped) {
  private static final Duration PERIOD = Duration.ofMinutes(1);
  private static final int MOST_BYTES = 16 * 1024 * 1024;

  /**
   * One document of each server, fetched about once a minute.
   *
   * @param what the name of the document in the log
   */
  <T> RemoteDocuments<T> documents(String what, RemoteDocuments.Fetch<T> fetch) {
    return new RemoteDocuments<>(what, apis, fetch, PERIOD, replica, threads, stopped);
  }

  /** Gets a document. Blocks until the server has answered or the patience is over. */
  ApiServerClient.Answer get(AggregatedApi api, String path, String accept, Duration patience)
      throws BackendException, ServiceBackend.Missing {
    var destination = backends.destination(api, new SnapshotView(replica.current()), path, "");
    return backends.get(
        api, destination, List.of(new Header("accept", accept)), MOST_BYTES, patience);
  }
}
