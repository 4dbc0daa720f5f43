package dev.muster.multicluster.services;

import java.util.Map;

/** Names of the multi-cluster services API (KEP-1645), and of what the hub keeps for it. */
public final class McsApi {
  public static final String GROUP = "multicluster.x-k8s.io";
  public static final String STORED_VERSION = "v1beta1";

  /** On an EndpointSlice that was imported: the service that it belongs to. */
  public static final String SERVICE_NAME = "multicluster.kubernetes.io/service-name";

  /** On an EndpointSlice that was imported: the one cluster that its endpoints are in. */
  public static final String SOURCE_CLUSTER = "multicluster.kubernetes.io/source-cluster";

  /** On objects in the hub: the namespace that their service has in the members. */
  static final String SERVICE_NAMESPACE = "clusterset.muster.dev/service-namespace";

  /** Who keeps the objects that are imported. */
  static final String MANAGER = "services.clusterset.muster.dev";

  static final String MANAGED_BY = "app.kubernetes.io/managed-by";

  private static final int LONGEST_LABEL = 63;

  private McsApi() {}

  /** An ID as the value of a label, which has less room than an ID may take. */
  static String clusterLabel(String cluster) {
    return cluster.length() <= LONGEST_LABEL
        ? cluster
        : cluster.substring(0, 50).replaceAll("[^a-z0-9]+$", "") + "-" + ShortHash.of(cluster);
  }

  /**
   * The ID of the cluster that a slice says it comes from; "" if it says nothing, or one thing in
   * its label and another in its annotation.
   */
  public static String sourceCluster(Map<String, Object> slice) {
    var annotation =
        Fields.texts(Fields.metadata(slice).get("annotations")).getOrDefault(SOURCE_CLUSTER, "");
    var label = Fields.labels(slice).getOrDefault(SOURCE_CLUSTER, "");
    if (annotation.isEmpty()) {
      return label;
    }
    return clusterLabel(annotation).equals(label) ? annotation : "";
  }
}
