package dev.muster.server.aggregation;

import dev.muster.model.GroupVersion;
import dev.muster.server.aggregation.RemoteDocuments.Fetched;
import java.util.Map;
import java.util.function.BiFunction;

/**
 * Derives a result from the documents of all aggregated API servers, and derives it again when the
 * servers or their documents change. Thread-safe.
 *
 * @param <T> the document of each server
 * @param <R> the result
 */
final class DerivedDocument<T, R> {
  private record Made<T, R>(
      Map<GroupVersion, AggregatedApi> apis, Map<String, Fetched<T>> documents, R result) {}

  private final AggregatedApis apis;
  private final RemoteDocuments<T> documents;
  private final BiFunction<Map<GroupVersion, AggregatedApi>, Map<String, Fetched<T>>, R> maker;
  private volatile Made<T, R> made;

  /**
   * @param first the result before any document is fetched
   */
  DerivedDocument(
      AggregatedApis apis,
      RemoteDocuments<T> documents,
      R first,
      BiFunction<Map<GroupVersion, AggregatedApi>, Map<String, Fetched<T>>, R> maker) {
    this.apis = apis;
    this.documents = documents;
    this.maker = maker;
    this.made = new Made<>(Map.of(), Map.of(), first);
  }

  /** The current result; the same instance while nothing changes. */
  R now() {
    var now = apis.byVersion();
    var fetched = documents.now();
    var last = made;
    if (last.apis() == now && last.documents() == fetched) {
      return last.result();
    }
    var result = maker.apply(now, fetched);
    var same = result.equals(last.result()) ? last.result() : result;
    made = new Made<>(now, fetched, same);
    return same;
  }
}
