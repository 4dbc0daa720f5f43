package dev.muster.multicluster.services;

import java.util.Map;

/** Names of the multi-cluster services API (KEP-1645) and of its objects in the hub. */
public final class McsApi {
  public static final String GROUP = "multicluster.x-k8s.io";
  public static final String STORED_VERSION = "v1beta1";

  /** Label of an imported EndpointSlice: its service. */
  public static final String SERVICE_NAME = "multicluster.kubernetes.io/service-name";

  /** Label of an imported EndpointSlice: the cluster of its endpoints. */
  public static final String SOURCE_CLUSTER = "multicluster.kubernetes.io/source-cluster";

  /** Label of objects in the hub: the namespace of their service in the members. */
  static final String SERVICE_NAMESPACE = "clusterset.muster.dev/service-namespace";

  /** The manager of imported objects. */
  static final String MANAGER = "services.clusterset.muster.dev";

  static final String MANAGED_BY = "app.kubernetes.io/managed-by";

  private static final int LONGEST_LABEL = 63;

  private McsApi() {}

  /** An ID as a label value, which must be shorter than an ID may be. */
  static String clusterLabel(String cluster) {
    return cluster.length() <= LONGEST_LABEL
        ? cluster
        : cluster.substring(0, 50).replaceAll("[^a-z0-9]+$", "") + "-" + ShortHash.of(cluster);
  }

  /** The cluster ID in a slice; "" if there is none, or if its label and annotation disagree. */
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
