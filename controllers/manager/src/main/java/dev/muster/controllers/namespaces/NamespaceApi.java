package dev.muster.controllers.namespaces;

import dev.muster.controllers.client.Discovery;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import java.util.List;
import java.util.Optional;

/**
 * Safe for any thread; blocks. What the namespace controller asks of an API server, which refuses
 * with a {@code KubernetesClientException}.
 */
interface NamespaceApi {
  Optional<Namespace> get(String name);

  Namespace updateStatus(Namespace namespace);

  /** Writes {@code spec.finalizers}; a deleted namespace without any is gone. */
  void updateFinalizers(Namespace namespace);

  Discovery discover();

  List<ObjectMeta> list(Discovery.Served resource, String namespace);

  /** In one request, for resources that know {@code deletecollection}. */
  void deleteAll(Discovery.Served resource, String namespace);

  void delete(Discovery.Served resource, String namespace, String name);
}
