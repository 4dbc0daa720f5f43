package dev.muster.multicluster.services;

import dev.muster.controllers.client.ApiRequests;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Reads and writes objects by HTTP. Thread-safe. Blocks the caller. */
final class HttpApiObjects implements ApiObjects {
  private static final String JSON = "application/json";
  private static final int NOT_FOUND = 404;
  private static final int CONFLICT = 409;
  private static final int PAGE = 500;

  private final ApiRequests requests;

  HttpApiObjects(KubernetesClient client) {
    requests = new ApiRequests(client);
  }

  @Override
  public Optional<Map<String, Object>> get(
      ServicesResource resource, String namespace, String name) {
    var answer = requests.send("GET", resource.path(namespace) + "/" + name, JSON);
    return answer.code() == NOT_FOUND ? Optional.empty() : Optional.of(answer.orThrow());
  }

  @Override
  public List<Map<String, Object>> list(
      ServicesResource resource, String namespace, Map<String, String> labels) {
    var selector =
        labels.entrySet().stream()
            .map(label -> label.getKey() + "=" + label.getValue())
            .collect(Collectors.joining(","));
    var found = new ArrayList<Map<String, Object>>();
    var next = "";
    do {
      var query = "?limit=" + PAGE + "&labelSelector=" + encode(selector);
      var page = next.isEmpty() ? "" : "&continue=" + encode(next);
      var answer = requests.send("GET", resource.path(namespace) + query + page, JSON);
      var body = answer.orThrow();
      Fields.list(body.get("items")).forEach(item -> found.add(Fields.map(item)));
      next = Fields.text(Fields.metadata(body), "continue");
    } while (!next.isEmpty());
    return found;
  }

  @Override
  public boolean create(ServicesResource resource, String namespace, Map<String, Object> object) {
    var answer = requests.send("POST", resource.path(namespace), JSON, JSON, object);
    if (answer.code() == CONFLICT || answer.code() == NOT_FOUND) {
      return false;
    }
    answer.orThrow();
    return true;
  }

  @Override
  public void update(ServicesResource resource, String namespace, Map<String, Object> object) {
    var path = resource.path(namespace) + "/" + Fields.name(object);
    requests.send("PUT", path, JSON, JSON, object).orThrow();
  }

  @Override
  public void updateStatus(
      ServicesResource resource, String namespace, Map<String, Object> object) {
    var path = resource.path(namespace) + "/" + Fields.name(object) + "/status";
    requests.send("PUT", path, JSON, JSON, object).orThrow();
  }

  @Override
  public void delete(ServicesResource resource, Map<String, Object> object) {
    var path = resource.path(Fields.namespace(object)) + "/" + Fields.name(object);
    var uid = Fields.text(Fields.metadata(object), "uid");
    Map<String, Object> options =
        Map.of("apiVersion", "v1", "kind", "DeleteOptions", "preconditions", Map.of("uid", uid));
    var answer = requests.send("DELETE", path, JSON, JSON, options);
    if (answer.code() != NOT_FOUND && answer.code() != CONFLICT) {
      answer.orThrow();
    }
  }

  private static String encode(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }
}
