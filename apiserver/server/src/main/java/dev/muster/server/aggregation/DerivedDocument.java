package dev.muster.server.aggregation;

import dev.muster.model.GroupVersion;
import dev.muster.server.aggregation.RemoteDocuments.Fetched;
import java.util.Map;
import java.util.function.BiFunction;

/**
 * Safe for any thread. What is made of all that was fetched from the servers behind this one; made
 * anew when they or their documents change.
 *
 * @param <T> what is fetched from each
 * @param <R> what is made of it
 */
final class DerivedDocument<T, R> {
  private record Made<T, R>(
      Map<GroupVersion, AggregatedApi> apis, Map<String, Fetched<T>> documents, R result) {}

  private final AggregatedApis apis;
  private final RemoteDocuments<T> documents;
  private final BiFunction<Map<GroupVersion, AggregatedApi>, Map<String, Fetched<T>>, R> maker;
  private volatile Made<T, R> made;

  /**
   * @param first what there is before anything is known
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

  /** What there is now; the same instance while it is the same. */
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
