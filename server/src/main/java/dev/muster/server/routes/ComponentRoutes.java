package dev.muster.server.routes;

import dev.muster.model.GroupKind;
import dev.muster.model.GroupResource;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonObject;
import dev.muster.model.status.ApiException;
import dev.muster.registry.read.ListPage;
import dev.muster.registry.read.Selection;
import dev.muster.registry.request.Call;
import dev.muster.server.answer.Representation;
import dev.muster.server.request.Request;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

/**
 * Answers reads of ComponentStatus, which is stored nowhere: whoever asks has the components asked,
 * all of them at once and on threads that may wait.
 */
public final class ComponentRoutes {
  private static final GroupKind KIND = new GroupKind("", "ComponentStatus");

  /** As kube-apiserver names it when there is none. */
  private static final GroupResource SINGULAR = new GroupResource("", "componentstatus");

  /** What is not stored has none. */
  private static final long NO_REVISION = -1;

  private final Executor threads;
  private final Map<String, ComponentProbes.Probe> probes;

  /**
   * @param probes by the names of the components
   */
  public ComponentRoutes(Executor threads, Map<String, ComponentProbes.Probe> probes) {
    this.threads = threads;
    this.probes = Map.copyOf(probes);
  }

  static boolean isFor(Call call) {
    return call.type().groupKind().equals(KIND);
  }

  void get(Request request, Call call, Representation representation) {
    var probe = probes.get(call.name());
    if (probe == null) {
      throw ApiException.notFound(SINGULAR, call.name());
    }
    answer(request, representation, () -> representation.object(status(call.name(), probe.ask())));
  }

  void list(Request request, Selection selection, Representation representation) {
    answer(
        request,
        representation,
        () -> {
          var all = statuses().stream().filter(selection::matchesUnstored).toList();
          return representation.list(
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

  private void answer(Request request, Representation representation, Supplier<byte[]> body) {
    request.seat().waits();
    threads.execute(
        () -> {
          try {
            request.answer(200, representation.contentType(), body.get());
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
