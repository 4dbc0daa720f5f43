package dev.muster.controllers.endpoints;

import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonInteger;
import dev.muster.model.json.JsonObject;
import java.util.ArrayList;
import java.util.OptionalLong;

/** Computes the ports of endpoints. Endpoints with different ports are in different slices. */
final class SlicePorts {
  private SlicePorts() {}

  /** A text that is equal for equivalent ports, in any order. */
  static String key(JsonArray ports) {
    return String.join(
        ";",
        ports.objects().stream()
            .map(
                port ->
                    "%s/%s/%s/%s"
                        .formatted(
                            port.string("name"),
                            port.has("protocol") ? port.string("protocol") : "TCP",
                            port.integer("port", -1),
                            port.string("appProtocol")))
            .sorted()
            .toList());
  }

  /** The service's ports as the pod serves them; ports that the pod does not have are left out. */
  static JsonArray of(JsonObject service, JsonObject pod) {
    var ports = new ArrayList<Json>();
    for (var port : service.object("spec").array("ports").objects()) {
      var number = find(port, pod);
      if (number.isPresent()) {
        ports.add(
            JsonObject.builder()
                .put("name", port.string("name"))
                .put("protocol", protocol(port))
                .put("port", number.getAsLong())
                .putIf("appProtocol", port.string("appProtocol"))
                .build());
      }
    }
    return JsonArray.of(ports);
  }

  static String protocol(JsonObject port) {
    return port.has("protocol") ? port.string("protocol") : "TCP";
  }

  /** The number of a service port on a pod, by number or by container port name. */
  static OptionalLong find(JsonObject port, JsonObject pod) {
    var target = port.get("targetPort");
    if (target instanceof JsonInteger number) {
      return OptionalLong.of(number.value() == 0 ? port.integer("port", 0) : number.value());
    }
    var name = target == null ? null : target.text();
    if (name == null || name.isEmpty()) {
      return OptionalLong.of(port.integer("port", 0));
    }
    var spec = pod.object("spec");
    var containers = new ArrayList<>(spec.array("containers").objects());
    spec.array("initContainers").objects().stream()
        .filter(container -> container.string("restartPolicy").equals("Always"))
        .forEach(containers::add);
    for (var container : containers) {
      for (var offered : container.array("ports").objects()) {
        if (offered.string("name").equals(name) && protocol(offered).equals(protocol(port))) {
          return OptionalLong.of(offered.integer("containerPort", 0));
        }
      }
    }
    return OptionalLong.empty();
  }
}
