package dev.muster.controllers.namespaces;

import dev.muster.controllers.client.Discovery;
import io.fabric8.kubernetes.api.model.DeletionPropagation;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.KubernetesResourceList;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.MixedOperation;
import io.fabric8.kubernetes.client.dsl.NonNamespaceOperation;
import io.fabric8.kubernetes.client.dsl.Resource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * One attempt to remove everything from a namespace: pods first, and nothing else while any pod is
 * left, so that what pods rely on outlives them.
 *
 * @param remaining how many objects of each resource are still there
 * @param finalizers how many of them each finalizer holds
 * @param undiscovered resources that could not be found out
 * @param failures deletes that failed
 * @param complete whether everything was tried; false while pods are left
 */
record NamespaceContent(
    SortedMap<String, Integer> remaining,
    SortedMap<String, Integer> finalizers,
    List<String> undiscovered,
    List<String> failures,
    boolean complete) {
  private static final String PODS = "pods.";

  boolean isGone() {
    return complete && remaining.isEmpty() && undiscovered.isEmpty() && failures.isEmpty();
  }

  static NamespaceContent remove(KubernetesClient client, Namespace namespace) {
    return new Removal(client, namespace).run();
  }

  private static final class Removal {
    private final KubernetesClient client;
    private final String namespace;
    private final SortedMap<String, Integer> remaining = new TreeMap<>();
    private final SortedMap<String, Integer> finalizers = new TreeMap<>();
    private final List<String> failures = new ArrayList<>();

    Removal(KubernetesClient client, Namespace namespace) {
      this.client = client;
      this.namespace = namespace.getMetadata().getName();
    }

    NamespaceContent run() {
      var discovery = Discovery.of(client);
      var deletable =
          discovery.resources().stream()
              .filter(resource -> resource.namespaced() && resource.can("delete"))
              .toList();
      deletable.stream().filter(resource -> resource.name().equals(PODS)).forEach(this::remove);
      boolean podsAreGone = remaining.isEmpty() && failures.isEmpty();
      if (podsAreGone) {
        deletable.stream().filter(resource -> !resource.name().equals(PODS)).forEach(this::remove);
      }
      return new NamespaceContent(
          remaining, finalizers, discovery.failures(), failures, podsAreGone);
    }

    private void remove(Discovery.Served resource) {
      try {
        MixedOperation<GenericKubernetesResource, ?, Resource<GenericKubernetesResource>> all =
            client.genericKubernetesResources(resource.context());
        var here = all.inNamespace(namespace);
        var present = resource.can("list") ? list(here) : List.<GenericKubernetesResource>of();
        if (!present.isEmpty()) {
          delete(resource, here, present);
          count(resource, list(here));
        }
      } catch (KubernetesClientException e) {
        if (e.getCode() != 404 && e.getCode() != 405) {
          failures.add(String.valueOf(e.getMessage()));
        }
      }
    }

    private static List<GenericKubernetesResource> list(
        NonNamespaceOperation<GenericKubernetesResource, ?, Resource<GenericKubernetesResource>>
            here) {
      var list = (KubernetesResourceList<?>) here.list();
      return list.getItems().stream().map(GenericKubernetesResource.class::cast).toList();
    }

    /** In the background, so that nothing is orphaned: dependents are deleted here anyway. */
    private void delete(
        Discovery.Served resource,
        NonNamespaceOperation<GenericKubernetesResource, ?, Resource<GenericKubernetesResource>>
            here,
        List<GenericKubernetesResource> present) {
      if (resource.can("deletecollection")) {
        client.raw(path(resource), "DELETE", Map.of("propagationPolicy", "Background"));
        return;
      }
      for (var object : present) {
        here.withName(object.getMetadata().getName())
            .withPropagationPolicy(DeletionPropagation.BACKGROUND)
            .delete();
      }
    }

    private String path(Discovery.Served resource) {
      var context = resource.context();
      var root =
          context.getGroup().isEmpty()
              ? "/api/" + context.getVersion()
              : "/apis/" + context.getGroup() + "/" + context.getVersion();
      return root + "/namespaces/" + namespace + "/" + context.getPlural();
    }

    private void count(Discovery.Served resource, List<GenericKubernetesResource> left) {
      if (left.isEmpty()) {
        return;
      }
      remaining.put(resource.name(), left.size());
      for (var object : left) {
        for (var finalizer : object.getMetadata().getFinalizers()) {
          finalizers.merge(finalizer, 1, Integer::sum);
        }
      }
    }
  }
}
