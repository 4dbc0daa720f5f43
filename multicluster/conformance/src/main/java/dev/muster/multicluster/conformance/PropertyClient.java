package dev.muster.multicluster.conformance;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.GenericKubernetesResourceBuilder;
import io.fabric8.kubernetes.api.model.GenericKubernetesResourceList;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.NonNamespaceOperation;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** Reads and tries writes of cluster properties, in the version that the cluster serves. */
record PropertyClient(KubernetesClient client, String version) {
  private static final List<String> VERSIONS = List.of("v1", "v1beta1", "v1alpha1");

  /** The client for the served version; empty when the API is missing or has another form. */
  static Optional<PropertyClient> of(KubernetesClient client) {
    for (var version : VERSIONS) {
      var resources = client.getApiResources("about.k8s.io/" + version);
      if (resources != null
          && resources.getResources().stream()
              .anyMatch(
                  resource ->
                      resource.getName().equals("clusterproperties")
                          && resource.getKind().equals("ClusterProperty")
                          && !resource.getNamespaced())) {
        return Optional.of(new PropertyClient(client, version));
      }
    }
    return Optional.empty();
  }

  SortedMap<String, String> all() {
    var found = new TreeMap<String, String>();
    for (var property : resources().list().getItems()) {
      found.put(property.getMetadata().getName(), value(property));
    }
    return found;
  }

  /** Tries a creation as a dry run. */
  Attempt wouldCreate(String name, Map<String, Object> spec) {
    return attempt(() -> resources().resource(property(name, spec)).dryRun().create());
  }

  Attempt change(String name, String value) {
    return attempt(
        () ->
            resources()
                .withName(name)
                .edit(
                    property -> {
                      property.setAdditionalProperty("spec", Map.of("value", value));
                      return property;
                    }));
  }

  Attempt create(String name, String value) {
    return attempt(() -> resources().resource(property(name, Map.of("value", value))).create());
  }

  Attempt delete(String name) {
    return attempt(() -> resources().withName(name).delete());
  }

  /** The cluster's response. */
  record Attempt(boolean taken, String message) {}

  private static Attempt attempt(Runnable request) {
    try {
      request.run();
      return new Attempt(true, "");
    } catch (KubernetesClientException e) {
      if (e.getCode() >= 400 && e.getCode() < 500 && e.getCode() != 409 && e.getCode() != 429) {
        var status = e.getStatus();
        var said = status == null ? e.getMessage() : status.getMessage();
        return new Attempt(false, String.valueOf(said));
      }
      throw e;
    }
  }

  private static String value(GenericKubernetesResource property) {
    return property.get("spec", "value") instanceof String value ? value : "";
  }

  private GenericKubernetesResource property(String name, Map<String, Object> spec) {
    return new GenericKubernetesResourceBuilder()
        .withApiVersion("about.k8s.io/" + version)
        .withKind("ClusterProperty")
        .withNewMetadata()
        .withName(name)
        .endMetadata()
        .addToAdditionalProperties("spec", spec)
        .build();
  }

  private NonNamespaceOperation<
          GenericKubernetesResource,
          GenericKubernetesResourceList,
          Resource<GenericKubernetesResource>>
      resources() {
    return client.genericKubernetesResources(
        new ResourceDefinitionContext.Builder()
            .withGroup("about.k8s.io")
            .withVersion(version)
            .withKind("ClusterProperty")
            .withPlural("clusterproperties")
            .withNamespaced(false)
            .build());
  }
}
