package dev.muster.multicluster.dns;

import dev.muster.multicluster.services.Fields;
import dev.muster.multicluster.services.McsApi;
import dev.muster.multicluster.services.ServiceName;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The ready endpoints of an imported EndpointSlice.
 *
 * @param cluster the ID of the source cluster; "" if unknown
 */
record ImportedSlice(
    String name,
    ServiceName service,
    String cluster,
    List<ImportedService.ServicePort> ports,
    List<ReadyEndpoint> endpoints) {

  /**
   * One endpoint.
   *
   * @param hostname "" if it has none
   */
  record ReadyEndpoint(String hostname, List<InetAddress> addresses) {
    ReadyEndpoint {
      addresses = List.copyOf(addresses);
    }
  }

  ImportedSlice {
    ports = List.copyOf(ports);
    endpoints = List.copyOf(endpoints);
  }

  static ImportedSlice read(Map<String, Object> object) {
    var metadata = Fields.map(object.get("metadata"));
    var labels = Fields.map(metadata.get("labels"));
    var endpoints = new ArrayList<ReadyEndpoint>();
    for (var item : Fields.list(object.get("endpoints"))) {
      var endpoint = Fields.map(item);
      var addresses = new ArrayList<InetAddress>();
      Fields.list(endpoint.get("addresses"))
          .forEach(address -> Fields.address(address).ifPresent(addresses::add));
      var ready = Fields.map(endpoint.get("conditions")).get("ready");
      if (!Boolean.FALSE.equals(ready) && !addresses.isEmpty()) {
        endpoints.add(new ReadyEndpoint(Fields.text(endpoint, "hostname"), addresses));
      }
    }
    var namespace = Fields.text(metadata, "namespace");
    return new ImportedSlice(
        Fields.text(metadata, "name"),
        new ServiceName(namespace, Fields.text(labels, McsApi.SERVICE_NAME)),
        McsApi.sourceCluster(object),
        ImportedService.ports(object.get("ports")),
        endpoints);
  }
}
