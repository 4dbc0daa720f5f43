package dev.muster.multicluster.rules;

/** The names of cluster properties that every implementation understands in the same way. */
public final class WellKnownProperties {
  /** Holds the cluster's ID. */
  public static final String CLUSTER_ID = "cluster.clusterset.k8s.io";

  /** Holds the name of the ClusterSet that the cluster is a member of; absent without one. */
  public static final String CLUSTER_SET = "clusterset.k8s.io";

  private WellKnownProperties() {}

  public static boolean includes(String name) {
    return name.equals(CLUSTER_ID) || name.equals(CLUSTER_SET);
  }
}
