package dev.muster.multicluster.dns;

import dev.muster.multicluster.services.Fields;
import dev.muster.multicluster.services.ServiceName;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The fields of a ServiceImport that DNS records depend on. */
record ImportedService(
    ServiceName name, boolean headless, List<InetAddress> addresses, List<ServicePort> ports) {

  /** A port with a name. */
  record ServicePort(String name, String protocol, int number) {}

  ImportedService {
    addresses = List.copyOf(addresses);
    ports = List.copyOf(ports);
  }

  static ImportedService read(Map<String, Object> object) {
    var metadata = Fields.map(object.get("metadata"));
    var spec = Fields.map(object.get("spec"));
    var addresses = new ArrayList<InetAddress>();
    for (var ip : Fields.list(spec.get("ips"))) {
      Fields.address(ip).ifPresent(addresses::add);
    }
    return new ImportedService(
        new ServiceName(Fields.text(metadata, "namespace"), Fields.text(metadata, "name")),
        "Headless".equals(spec.get("type")),
        addresses,
        ports(spec.get("ports")));
  }

  static List<ServicePort> ports(@Nullable Object field) {
    var ports = new ArrayList<ServicePort>();
    for (var item : Fields.list(field)) {
      var port = Fields.map(item);
      if (!Fields.text(port, "name").isEmpty() && port.get("port") instanceof Integer number) {
        var protocol = Fields.text(port, "protocol");
        ports.add(
            new ServicePort(
                Fields.text(port, "name"), protocol.isEmpty() ? "TCP" : protocol, number));
      }
    }
    return ports;
  }
}
