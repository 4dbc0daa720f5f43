package dev.muster.clusterset.services;

/** Names of the multi-cluster services API (KEP-1645). */
public final class McsApi {
  public static final String GROUP = "multicluster.x-k8s.io";
  public static final String STORED_VERSION = "v1beta1";

  /** On an EndpointSlice that was imported: the service that it belongs to. */
  public static final String SERVICE_NAME = "multicluster.kubernetes.io/service-name";

  /** On an EndpointSlice that was imported: the one cluster that its endpoints are in. */
  public static final String SOURCE_CLUSTER = "multicluster.kubernetes.io/source-cluster";

  private McsApi() {}
}
