package dev.muster.multicluster.services;

import dev.muster.multicluster.rules.DnsNames;
import java.util.Map;

/**
 * The names of a cluster's objects in the hub: its ID, a dot, and one DNS label. No ID is a prefix
 * of another cluster's names, so a policy can derive the owner from the name, and no cluster can
 * take a name that another one needs.
 */
final class HubNames {
  private HubNames() {}

  /** The name of an export. */
  static String ofExport(String cluster, ServiceName service) {
    return of(cluster, service, service.namespace(), service.name());
  }

  /** The name of a copied EndpointSlice. */
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

  /** Whether an object of that name belongs to the cluster. */
  static boolean isOf(String cluster, String name) {
    return !cluster.isEmpty()
        && name.startsWith(cluster + ".")
        && name.indexOf('.', cluster.length() + 1) < 0;
  }
}
