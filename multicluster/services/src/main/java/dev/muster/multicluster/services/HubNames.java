package dev.muster.multicluster.services;

import dev.muster.multicluster.rules.DnsNames;
import java.util.Map;

/**
 * Names of what a cluster keeps in the hub: its ID, a dot, and one DNS label. No ID is the
 * beginning of another's names, so that a policy can tell by the name whose an object is, and no
 * cluster can take a name that another one will need.
 */
final class HubNames {
  private HubNames() {}

  /** Of what the cluster exports. */
  static String ofExport(String cluster, ServiceName service) {
    return of(cluster, service, service.namespace(), service.name());
  }

  /** Of the copy of an EndpointSlice. */
  static String ofSlice(String cluster, ServiceName service, Map<String, Object> slice) {
    return of(
        cluster,
        service,
        service.namespace(),
        Fields.name(slice),
        Fields.text(slice, "addressType"));
  }

  private static String of(String cluster, ServiceName service, String... parts) {
    int room = Math.min(DnsNames.LONGEST_LABEL, DnsNames.LONGEST_NAME - cluster.length() - 1);
    return cluster + "." + ShortHash.nameWithin(room, service.name(), parts);
  }

  /** Whether an object of that name is the cluster's. */
  static boolean isOf(String cluster, String name) {
    return !cluster.isEmpty()
        && name.startsWith(cluster + ".")
        && name.indexOf('.', cluster.length() + 1) < 0;
  }
}
