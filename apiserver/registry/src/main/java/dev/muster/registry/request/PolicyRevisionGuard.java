package dev.muster.registry.request;

import dev.muster.registry.commit.WriteGuard;
import dev.muster.store.Operation;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Set;

/**
 * Makes sure that no write is committed by outdated access rules or policies, on any server.
 *
 * <p>Policy objects are those that decide about other writes: RBAC roles, admission webhooks and
 * policies, quotas, and similar. A write of a policy object also writes a marker key, one for the
 * cluster and one per namespace. Every other write commits only if the marker keys of the cluster
 * and of its namespace have not changed since the snapshot in which it was decided. Namespaces
 * themselves are no policy objects: each create in a namespace checks the namespace.
 */
final class PolicyRevisionGuard {
  /** The prefix of the marker keys; no type is stored here. */
  private static final String KEY = "/deciding-objects";

  private static final String NAMESPACES = "/namespaces";

  /** The status of a quota decides which limits are in force, so status updates count, too. */
  private static final String QUOTAS = "/resourcequotas";

  private static final byte[] CHANGED = "changed".getBytes(StandardCharsets.US_ASCII);

  static final Set<String> COLLECTIONS =
      Set.of(
          "/roles",
          "/rolebindings",
          "/clusterroles",
          "/clusterrolebindings",
          "/mutatingwebhookconfigurations",
          "/validatingwebhookconfigurations",
          "/mutatingadmissionpolicies",
          "/mutatingadmissionpolicybindings",
          "/validatingadmissionpolicies",
          "/validatingadmissionpolicybindings",
          QUOTAS,
          "/limitranges",
          "/priorityclasses",
          "/runtimeclasses",
          "/storageclasses",
          "/ingressclasses");

  private PolicyRevisionGuard() {}

  /**
   * Requests of the server itself are not authorized or admitted, so their writes need no guard.
   */
  static WriteGuard guard(ResourceRequest resourceRequest) {
    var storage = resourceRequest.type().storage();
    boolean decides =
        COLLECTIONS.contains(storage)
            && (!resourceRequest.subresource().equals("status") || storage.equals(QUOTAS));
    boolean decided = resourceRequest.permission() != WriteGuard.NONE;
    if (!decides && !decided) {
      return WriteGuard.NONE;
    }
    var namespace = deciding(resourceRequest);
    var own = namespace.isEmpty() ? KEY : KEY + "/" + namespace;
    return snapshot -> {
      long expected = decided ? Operation.notAfter(snapshot.revision()) : Operation.ANY;
      var operations = new ArrayList<Operation>(2);
      operations.add(
          decides ? new Operation.Put(own, CHANGED, expected) : new Operation.Check(own, expected));
      if (decided && !namespace.isEmpty()) {
        operations.add(new Operation.Check(KEY, expected));
      }
      return operations;
    };
  }

  /** The namespace whose roles can allow the request: for a Namespace, the namespace itself. */
  private static String deciding(ResourceRequest resourceRequest) {
    return resourceRequest.type().storage().equals(NAMESPACES)
        ? resourceRequest.name()
        : resourceRequest.namespace();
  }
}
