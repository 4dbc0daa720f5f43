package dev.muster.server.routes;

import dev.muster.model.GroupKind;
import dev.muster.model.GroupResource;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonObject;
import dev.muster.model.status.ApiException;
import dev.muster.registry.read.ListPage;
import dev.muster.registry.read.Selection;
import dev.muster.registry.request.ResourceRequest;
import dev.muster.server.answer.ResponseEncoder;
import dev.muster.server.request.Request;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

/**
 * Answers reads of ComponentStatus. The server stores no such objects: each read probes all
 * components in parallel, on threads that may block.
 */
public final class ComponentRoutes {
  private static final GroupKind KIND = new GroupKind("", "ComponentStatus");

  /** The name of the resource in a 404 of kube-apiserver. */
  private static final GroupResource SINGULAR = new GroupResource("", "componentstatus");

  /** Objects that are not stored have no resource version. */
  private static final long NO_REVISION = -1;

  private final Executor threads;
  private final Map<String, ComponentProbes.Probe> probes;

  /**
   * @param probes by component name
   */
  public ComponentRoutes(Executor threads, Map<String, ComponentProbes.Probe> probes) {
    this.threads = threads;
    this.probes = Map.copyOf(probes);
  }

  static boolean isFor(ResourceRequest resourceRequest) {
    return resourceRequest.type().groupKind().equals(KIND);
  }

  void get(Request request, ResourceRequest resourceRequest, ResponseEncoder responseEncoder) {
    var probe = probes.get(resourceRequest.name());
    if (probe == null) {
      throw ApiException.notFound(SINGULAR, resourceRequest.name());
    }
    answer(
        request,
        responseEncoder,
        () -> responseEncoder.object(status(resourceRequest.name(), probe.ask())));
  }

  void list(Request request, Selection selection, ResponseEncoder responseEncoder) {
    answer(
        request,
        responseEncoder,
        () -> {
          var all = statuses().stream().filter(selection::matchesUnstored).toList();
          return responseEncoder.list(
              new ListPage(NO_REVISION, List.of(), "", OptionalLong.empty()), all);
        });
  }

  private List<JsonObject> statuses() {
    var asked =
        probes.entrySet().stream()
            .sorted(Map.Entry.comparingByKey())
            .map(
                entry ->
                    CompletableFuture.supplyAsync(
                        () -> status(entry.getKey(), entry.getValue().ask()), threads))
            .toList();
    return asked.stream().map(CompletableFuture::join).toList();
  }

  private void answer(Request request, ResponseEncoder responseEncoder, Supplier<byte[]> body) {
    request.seat().waits();
    threads.execute(
        () -> {
          try {
            request.answer(200, responseEncoder.contentType(), body.get());
          } catch (RuntimeException | Error e) {
            request.fail(e);
          }
        });
  }

  private static JsonObject status(String name, ComponentProbes.Health health) {
    var condition =
        JsonObject.builder()
            .put("type", "Healthy")
            .put("status", health.healthy() ? "True" : "False")
            .putIf("message", health.message())
            .putIf("error", health.error())
            .build();
    return JsonObject.of(
        "kind",
        "ComponentStatus",
        "apiVersion",
        "v1",
        "metadata",
        JsonObject.of("name", name),
        "conditions",
        JsonArray.of(condition));
  }
}
