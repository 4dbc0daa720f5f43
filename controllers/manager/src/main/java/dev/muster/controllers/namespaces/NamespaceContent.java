package dev.muster.controllers.namespaces;

import dev.muster.controllers.client.Discovery;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * One attempt to delete everything in a namespace: pods first, other objects only when no pod is
 * left, so that objects outlive the pods that use them.
 *
 * @param remaining the number of remaining objects by resource
 * @param finalizers the number of remaining objects by finalizer
 * @param undiscovered resources that discovery could not list
 * @param failures failed deletions
 * @param complete whether everything was tried; false while pods are left
 */
record NamespaceContent(
    SortedMap<String, Integer> remaining,
    SortedMap<String, Integer> finalizers,
    List<String> undiscovered,
    List<String> failures,
    boolean complete) {
  private static final String PODS = "pods.";
  private static final int NOT_FOUND = 404;
  private static final int METHOD_NOT_ALLOWED = 405;

  boolean isGone() {
    return complete && remaining.isEmpty() && undiscovered.isEmpty() && failures.isEmpty();
  }

  static NamespaceContent remove(NamespaceApi api, String namespace) {
    return new Removal(api, namespace).run();
  }

  private static final class Removal {
    private final NamespaceApi api;
    private final String namespace;
    private final SortedMap<String, Integer> remaining = new TreeMap<>();
    private final SortedMap<String, Integer> finalizers = new TreeMap<>();
    private final List<String> failures = new ArrayList<>();

    Removal(NamespaceApi api, String namespace) {
      this.api = api;
      this.namespace = namespace;
    }

    NamespaceContent run() {
      var discovery = api.discover();
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
        var present = resource.can("list") ? api.list(resource, namespace) : List.<ObjectMeta>of();
        if (!present.isEmpty()) {
          delete(resource, present);
          count(resource, api.list(resource, namespace));
        }
      } catch (KubernetesClientException e) {
        if (e.getCode() != NOT_FOUND && e.getCode() != METHOD_NOT_ALLOWED) {
          failures.add(String.valueOf(e.getMessage()));
        }
      }
    }

    private void delete(Discovery.Served resource, List<ObjectMeta> present) {
      if (resource.can("deletecollection")) {
        api.deleteAll(resource, namespace);
      } else {
        present.forEach(object -> api.delete(resource, namespace, object.getName()));
      }
    }

    private void count(Discovery.Served resource, List<ObjectMeta> left) {
      if (left.isEmpty()) {
        return;
      }
      remaining.put(resource.name(), left.size());
      for (var object : left) {
        for (var finalizer : object.getFinalizers()) {
          finalizers.merge(finalizer, 1, Integer::sum);
        }
      }
    }
  }
}
