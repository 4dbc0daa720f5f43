package dev.muster.controllers.namespaces;

import dev.muster.controllers.client.Discovery;
import io.fabric8.kubernetes.api.model.DeletionPropagation;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.KubernetesResourceList;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.NonNamespaceOperation;
import io.fabric8.kubernetes.client.dsl.Resource;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The namespace requests through the Java client. It deletes with background propagation, so that
 * nothing is orphaned; dependents in the namespace are deleted anyway. Thread-safe. Blocks the
 * caller.
 */
record ClientNamespaceApi(KubernetesClient client) implements NamespaceApi {
  @Override
  public Optional<Namespace> get(String name) {
    return Optional.ofNullable(client.namespaces().withName(name).get());
  }

  @Override
  public Namespace updateStatus(Namespace namespace) {
    return client.namespaces().resource(namespace).updateStatus();
  }

  @Override
  public void updateFinalizers(Namespace namespace) {
    var path = "/api/v1/namespaces/" + namespace.getMetadata().getName() + "/finalize";
    client.raw(path, "PUT", namespace);
  }

  @Override
  public Discovery discover() {
    return Discovery.of(client);
  }

  @Override
  public List<ObjectMeta> list(Discovery.Served resource, String namespace) {
    var list = (KubernetesResourceList<?>) in(resource, namespace).list();
    return list.getItems().stream().map(object -> object.getMetadata()).toList();
  }

  private NonNamespaceOperation<GenericKubernetesResource, ?, Resource<GenericKubernetesResource>>
      in(Discovery.Served resource, String namespace) {
    return client.genericKubernetesResources(resource.context()).inNamespace(namespace);
  }

  @Override
  public void deleteAll(Discovery.Served resource, String namespace) {
    var context = resource.context();
    var root =
        context.getGroup().isEmpty()
            ? "/api/" + context.getVersion()
            : "/apis/" + context.getGroup() + "/" + context.getVersion();
    client.raw(
        root + "/namespaces/" + namespace + "/" + context.getPlural(),
        "DELETE",
        Map.of("propagationPolicy", "Background"));
  }

  @Override
  public void delete(Discovery.Served resource, String namespace, String name) {
    in(resource, namespace)
        .withName(name)
        .withPropagationPolicy(DeletionPropagation.BACKGROUND)
        .delete();
  }
}
