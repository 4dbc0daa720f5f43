package dev.muster.controllers.garbagecollector;

import dev.muster.controllers.client.ApiRequests;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;

/** Requests to an API server for metadata only. Thread-safe. */
final class HttpObjectClient implements ObjectClient {
  private static final int NOT_FOUND = 404;
  private static final int CONFLICT = 409;
  private static final int UNSUPPORTED = 415;

  private final ApiRequests requests;
  private final BiFunction<String, String, Optional<DiscoveredType>> types;

  /**
   * @param types finds the type of an API version and kind, if it is served
   */
  HttpObjectClient(
      ApiRequests requests, BiFunction<String, String, Optional<DiscoveredType>> types) {
    this.requests = requests;
    this.types = types;
  }

  @Override
  public boolean isNamespaced(String apiVersion, String kind) {
    return type(apiVersion, kind).namespaced();
  }

  private DiscoveredType type(String apiVersion, String kind) {
    return types
        .apply(apiVersion, kind)
        .orElseThrow(() -> new UnknownTypeException(apiVersion, kind));
  }

  private String path(ObjectReference object) {
    return type(object.apiVersion(), object.kind()).path(object.namespace(), object.name());
  }

  @Override
  public Optional<LiveObject> get(ObjectReference object) {
    var answer = requests.send("GET", path(object), ApiRequests.METADATA);
    if (answer.code() == NOT_FOUND) {
      return Optional.empty();
    }
    return Optional.of(live(object, answer.orThrow()));
  }

  private static LiveObject live(ObjectReference object, Map<String, Object> body) {
    var metadata = ObjectMetadata.map(body.get("metadata"));
    List<String> finalizers =
        ObjectMetadata.list(metadata.get("finalizers")).stream().map(String::valueOf).toList();
    var owners =
        ObjectMetadata.list(metadata.get("ownerReferences")).stream()
            .map(ObjectMetadata::map)
            .toList();
    return new LiveObject(
        ObjectMetadata.read(object.apiVersion(), object.kind(), body),
        ObjectMetadata.text(metadata, "resourceVersion"),
        finalizers,
        owners);
  }

  @Override
  public Outcome delete(ObjectReference object, String resourceVersion, Propagation propagation) {
    var preconditions =
        resourceVersion.isEmpty()
            ? Map.of("uid", object.uid())
            : Map.of("uid", object.uid(), "resourceVersion", resourceVersion);
    Map<String, Object> options =
        Map.of(
            "apiVersion",
            "v1",
            "kind",
            "DeleteOptions",
            "preconditions",
            preconditions,
            "propagationPolicy",
            propagation.text());
    return outcome(
        requests.send("DELETE", path(object), ApiRequests.METADATA, "application/json", options));
  }

  @Override
  public Outcome patch(ObjectReference object, Map<String, Object> patch) {
    return patch(object, patch, "application/strategic-merge-patch+json");
  }

  @Override
  public Outcome mergePatch(ObjectReference object, Map<String, Object> patch) {
    return patch(object, patch, "application/merge-patch+json");
  }

  private Outcome patch(ObjectReference object, Map<String, Object> patch, String mediaType) {
    return outcome(requests.send("PATCH", path(object), ApiRequests.METADATA, mediaType, patch));
  }

  private static Outcome outcome(ApiRequests.Answer answer) {
    return switch (answer.code()) {
      case NOT_FOUND -> Outcome.NOT_FOUND;
      case CONFLICT -> Outcome.CONFLICT;
      case UNSUPPORTED -> Outcome.UNSUPPORTED;
      default -> {
        answer.orThrow();
        yield Outcome.DONE;
      }
    };
  }
}
