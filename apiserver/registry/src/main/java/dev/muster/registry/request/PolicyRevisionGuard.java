package dev.muster.registry.request;

import dev.muster.registry.commit.WriteGuard;
import dev.muster.store.Operation;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Set;

/**
 * Objects that decide about the writes of others: who may write, and what is refused or changed.
 * Whoever writes one of them also writes one small key, of the cluster or of the object's
 * namespace; everybody else commits only while the keys of the cluster and of the namespace were
 * not written after the snapshot that the write was decided in. So no write is ever stored by
 * decisions that were outdated then, on whatever server they were made. Namespaces themselves are
 * checked by each create in them.
 */
final class PolicyRevisionGuard {
  /** No object has it, or one below it: no type is called so. */
  private static final String KEY = "/deciding-objects";

  private static final String NAMESPACES = "/namespaces";

  /** Their status says which of their limits are in force. */
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

  /** The server itself is asked by nobody, so its writes rest on nothing here. */
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

  /** The namespace whose roles may allow the call: those in a namespace may be about itself. */
  private static String deciding(ResourceRequest resourceRequest) {
    return resourceRequest.type().storage().equals(NAMESPACES)
        ? resourceRequest.name()
        : resourceRequest.namespace();
  }
}
