package dev.muster.multicluster.identity;

import dev.muster.multicluster.rules.PropertyRules;
import dev.muster.multicluster.rules.WellKnownProperties;
import io.fabric8.kubernetes.api.model.KubernetesResourceList;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.NonNamespaceOperation;
import io.fabric8.kubernetes.client.dsl.Resource;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Reads and writes the ClusterProperties of the client's cluster. Thread-safe. Blocks the caller.
 *
 * <p>Failures are {@link KubernetesClientException}s with the API server's message. If the cluster
 * does not serve the type, reads find nothing and writes fail with a clear message.
 */
public record ClusterProperties(KubernetesClient client) {
  private static final int NOT_FOUND = 404;

  /** The typed client, for other operations such as watches. */
  public NonNamespaceOperation<
          ClusterProperty, KubernetesResourceList<ClusterProperty>, Resource<ClusterProperty>>
      resources() {
    return client.resources(ClusterProperty.class);
  }

  public Optional<String> value(String name) {
    return Optional.ofNullable(resources().withName(name).get()).map(ClusterProperty::value);
  }

  /** All properties, by name. */
  public SortedMap<String, String> all() {
    var found = new TreeMap<String, String>();
    try {
      for (var property : resources().list().getItems()) {
        found.put(property.getMetadata().getName(), property.value());
      }
    } catch (KubernetesClientException e) {
      if (e.getCode() != NOT_FOUND) {
        throw e;
      }
    }
    return found;
  }

  /** Creates a property; fails with 409 if it exists. */
  public void create(String name, String value) {
    try {
      resources().resource(ClusterProperty.of(name, value)).create();
    } catch (KubernetesClientException e) {
      throw e.getCode() == NOT_FOUND ? undefined(e) : e;
    }
  }

  /** Creates a property or changes its value. */
  public void set(String name, String value) {
    var present = resources().withName(name).get();
    if (present == null) {
      create(name, value);
    } else if (!present.value().equals(value)) {
      present.setSpec(new ClusterProperty.Spec(value));
      resources().resource(present).update();
    }
  }

  /** Deletes a property; returns whether it existed. */
  public boolean delete(String name) {
    return !resources().withName(name).delete().isEmpty();
  }

  public Optional<String> clusterId() {
    return value(WellKnownProperties.CLUSTER_ID);
  }

  /** The ClusterSet of which the cluster is a member. */
  public Optional<String> clusterSet() {
    return value(WellKnownProperties.CLUSTER_SET);
  }

  public PropertyRules.Identity identity() {
    return new PropertyRules.Identity(clusterId(), clusterSet(), RecordedClaim.of(client));
  }

  private static KubernetesClientException undefined(KubernetesClientException cause) {
    return new KubernetesClientException(
        "this cluster does not serve ClusterProperty about.k8s.io/v1: run the"
            + " cluster-identity-controller of muster controller-manager, which installs it",
        cause.getCode(),
        cause.getStatus());
  }
}
