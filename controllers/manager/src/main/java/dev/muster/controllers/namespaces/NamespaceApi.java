package dev.muster.controllers.namespaces;

import dev.muster.controllers.client.Discovery;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import java.util.List;
import java.util.Optional;

/**
 * The requests of the namespace controller. Failures are {@code KubernetesClientException}s.
 * Thread-safe. Blocks the caller.
 */
interface NamespaceApi {
  Optional<Namespace> get(String name);

  Namespace updateStatus(Namespace namespace);

  /** Writes {@code spec.finalizers}; a deleted namespace without any disappears. */
  void updateFinalizers(Namespace namespace);

  Discovery discover();

  List<ObjectMeta> list(Discovery.Served resource, String namespace);

  /** Deletes in one request, for resources with the verb {@code deletecollection}. */
  void deleteAll(Discovery.Served resource, String namespace);

  void delete(Discovery.Served resource, String namespace, String name);
}
