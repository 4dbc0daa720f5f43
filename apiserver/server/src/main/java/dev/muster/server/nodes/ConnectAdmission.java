package dev.muster.server.nodes;

import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonBool;
import dev.muster.model.json.JsonInteger;
import dev.muster.model.json.JsonObject;
import dev.muster.registry.admission.Admission;
import dev.muster.registry.admission.AdmissionOperation;
import dev.muster.registry.request.ResourceRequest;
import dev.muster.types.ClusterView;
import dev.muster.types.options.Query;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Runs admission for requests that open connections. It turns the query into the object that
 * admission sees, such as a PodExecOptions.
 */
final class ConnectAdmission {
  private static final List<String> SWITCHES = List.of("stdin", "stdout", "stderr", "tty");

  private ConnectAdmission() {}

  /**
   * The request with the options after admission.
   *
   * @param rest the path behind a proxy
   * @throws dev.muster.model.status.ApiException when admission refuses the request
   */
  static ResourceRequest admitted(
      Admission admission, ResourceRequest resourceRequest, String rest, ClusterView cluster) {
    var options = options(resourceRequest, rest);
    var request =
        resourceRequest.admission(
            AdmissionOperation.CONNECT,
            resourceRequest.name(),
            options,
            null,
            false,
            JsonObject.EMPTY,
            cluster);
    var admitted = admission.admit(request);
    admission.validate(request.withObject(admitted));
    return admitted.equals(options) || resourceRequest.subresource().equals("proxy")
        ? resourceRequest
        : resourceRequest.withQuery(Query.parse(query(admitted)));
  }

  private static JsonObject options(ResourceRequest resourceRequest, String rest) {
    var kind = resourceRequest.type().kind();
    var sub = resourceRequest.type().subresource(resourceRequest.subresource());
    var body = sub == null ? kind : sub.kind();
    var options =
        JsonObject.builder().put("kind", body.kind()).put("apiVersion", body.apiVersion());
    var query = resourceRequest.query();
    switch (resourceRequest.subresource()) {
      case "exec", "attach" -> {
        for (var name : SWITCHES) {
          if (query.isTrue(name)) {
            options.put(name, true);
          }
        }
        options.putIf("container", query.first("container"));
        if (query.has("command") && resourceRequest.subresource().equals("exec")) {
          options.put("command", JsonArray.ofStrings(query.all("command")));
        }
      }
      case "portforward" -> {
        var ports = ports(query);
        if (!ports.isEmpty()) {
          options.put("ports", JsonArray.of(ports));
        }
      }
      default -> options.putIf("path", rest);
    }
    return options.build();
  }

  /** Skips texts that are not numbers; the kubelet rejects them later. */
  private static List<Json> ports(Query query) {
    var ports = new ArrayList<Json>();
    for (var list : query.all("ports")) {
      for (var port : list.split(",", -1)) {
        if (port.matches("[0-9]{1,5}")) {
          ports.add(Json.of(Integer.parseInt(port)));
        }
      }
    }
    return ports;
  }

  private static String query(JsonObject options) {
    var parameters = new ArrayList<String>();
    for (int i = 0; i < options.size(); i++) {
      var key = options.key(i);
      if (key.equals("kind") || key.equals("apiVersion")) {
        continue;
      }
      switch (options.value(i)) {
        case JsonArray list -> list.forEach(item -> parameters.add(parameter(key, item)));
        case Json value -> parameters.add(parameter(key, value));
      }
    }
    return String.join("&", parameters);
  }

  private static String parameter(String key, Json value) {
    var text =
        switch (value) {
          case JsonBool bool -> Boolean.toString(bool.value());
          case JsonInteger number -> Long.toString(number.value());
          default -> value.text() == null ? "" : value.text();
        };
    return key + "=" + URLEncoder.encode(text, StandardCharsets.UTF_8);
  }
}
