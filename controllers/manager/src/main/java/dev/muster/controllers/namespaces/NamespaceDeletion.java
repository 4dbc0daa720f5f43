package dev.muster.controllers.namespaces;

import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.InstantSource;
import java.util.ArrayList;

/**
 * Advances the deletion of a namespace, wherever an earlier attempt ended. Thread-safe, with one
 * thread per namespace at a time.
 */
final class NamespaceDeletion {
  private static final String FINALIZER = "kubernetes";
  private static final int NOT_FOUND = 404;

  private final NamespaceApi api;
  private final InstantSource clock;

  NamespaceDeletion(NamespaceApi api, InstantSource clock) {
    this.api = api;
    this.clock = clock;
  }

  static boolean isTerminating(Namespace namespace) {
    return namespace.getMetadata().getDeletionTimestamp() != null;
  }

  private static boolean isHeld(Namespace namespace) {
    return namespace.getSpec() != null && namespace.getSpec().getFinalizers().contains(FINALIZER);
  }

  /** Whether there is nothing left to do: the namespace is not terminating, finalized, or gone. */
  boolean finish(String name) {
    var namespace = api.get(name);
    if (namespace.filter(found -> isTerminating(found) && isHeld(found)).isEmpty()) {
      return true;
    }
    try {
      var content = NamespaceContent.remove(api, name);
      var told = report(namespace.get(), content);
      if (content.isGone()) {
        giveFree(told);
      }
      return content.isGone();
    } catch (KubernetesClientException e) {
      if (e.getCode() == NOT_FOUND) {
        return true;
      }
      throw e;
    }
  }

  private Namespace report(Namespace namespace, NamespaceContent content) {
    var before = namespace.getStatus().getConditions();
    var after = NamespaceConditions.after(content, before, clock.instant());
    if (NamespaceConditions.sameContent(before, after)) {
      return namespace;
    }
    var told = namespace.edit().editStatus().withPhase("Terminating").withConditions(after);
    return api.updateStatus(told.endStatus().build());
  }

  private void giveFree(Namespace namespace) {
    var finalizers = new ArrayList<>(namespace.getSpec().getFinalizers());
    finalizers.remove(FINALIZER);
    api.updateFinalizers(namespace.edit().editSpec().withFinalizers(finalizers).endSpec().build());
  }
}
