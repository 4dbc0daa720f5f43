package dev.muster.multicluster.rules;

/** The names of the cluster properties that KEP-2149 defines. */
public final class WellKnownProperties {
  /** Holds the cluster ID. */
  public static final String CLUSTER_ID = "cluster.clusterset.k8s.io";

  /** Holds the name of the cluster's ClusterSet; absent without one. */
  public static final String CLUSTER_SET = "clusterset.k8s.io";

  private WellKnownProperties() {}

  public static boolean includes(String name) {
    return name.equals(CLUSTER_ID) || name.equals(CLUSTER_SET);
  }
}
