package dev.muster.multicluster.services;

/** The resources that multi-cluster services use. */
enum ServicesResource {
  SERVICE("v1", "Service", "services"),
  NAMESPACE("v1", "Namespace", "namespaces"),
  CONFIG_MAP("v1", "ConfigMap", "configmaps"),
  ENDPOINT_SLICE("discovery.k8s.io/v1", "EndpointSlice", "endpointslices"),
  DEFINITION("apiextensions.k8s.io/v1", "CustomResourceDefinition", "customresourcedefinitions"),
  SERVICE_EXPORT(McsApi.GROUP + "/v1beta1", "ServiceExport", "serviceexports"),
  SERVICE_IMPORT(McsApi.GROUP + "/v1beta1", "ServiceImport", "serviceimports"),
  CLUSTERSET_MEMBER("clusterset.muster.dev/v1alpha1", "ClusterSetMember", "clustersetmembers"),
  EXPORTED_SERVICE("clusterset.muster.dev/v1alpha1", "ExportedService", "exportedservices"),
  CLUSTERSET_IP("clusterset.muster.dev/v1alpha1", "ClusterSetIP", "clustersetips");

  private final String apiVersion;
  private final String kind;
  private final String plural;

  ServicesResource(String apiVersion, String kind, String plural) {
    this.apiVersion = apiVersion;
    this.kind = kind;
    this.plural = plural;
  }

  String apiVersion() {
    return apiVersion;
  }

  String kind() {
    return kind;
  }

  /**
   * The path of the collection in a namespace; "" for all namespaces or a cluster-scoped resource.
   */
  String path(String namespace) {
    var root = apiVersion.contains("/") ? "/apis/" : "/api/";
    var within = namespace.isEmpty() ? "" : "namespaces/" + namespace + "/";
    return root + apiVersion + "/" + within + plural;
  }
}
