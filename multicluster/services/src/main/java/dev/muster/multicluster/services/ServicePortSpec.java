package dev.muster.multicluster.services;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A port of a service.
 *
 * @param name "" if it has none
 * @param appProtocol "" if it has none
 */
record ServicePortSpec(String name, String protocol, String appProtocol, int port) {
  static ServicePortSpec read(Map<String, Object> port) {
    var protocol = Fields.text(port, "protocol");
    return new ServicePortSpec(
        Fields.text(port, "name"),
        protocol.isEmpty() ? "TCP" : protocol,
        Fields.text(port, "appProtocol"),
        port.get("port") instanceof Integer number ? number : 0);
  }

  Map<String, Object> write() {
    var port = new LinkedHashMap<String, Object>();
    if (!name.isEmpty()) {
      port.put("name", name);
    }
    port.put("protocol", protocol);
    if (!appProtocol.isEmpty()) {
      port.put("appProtocol", appProtocol);
    }
    port.put("port", this.port);
    return port;
  }

  boolean sameNumber(ServicePortSpec other) {
    return port == other.port && protocol.equals(other.protocol);
  }
}
