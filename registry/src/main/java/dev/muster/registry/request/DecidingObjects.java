package dev.muster.registry.request;

import dev.muster.registry.commit.WriteGuard;
import dev.muster.store.Operation;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;

/**
 * Objects that decide about the writes of others: who may write, and what is refused or changed.
 * Whoever writes one of them also writes one small key; everybody else commits only while that key
 * was not written after the snapshot that the write was decided in. So no write is ever stored by
 * decisions that were outdated then, on whatever server they were made.
 */
final class DecidingObjects {
  /** No object has it: it has one part, and no type is called so. */
  private static final String KEY = "/deciding-objects";

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
          "/namespaces",
          "/resourcequotas",
          "/limitranges",
          "/priorityclasses",
          "/runtimeclasses",
          "/storageclasses",
          "/ingressclasses");

  private DecidingObjects() {}

  /** The server itself is asked by nobody, so its writes rest on nothing here. */
  static WriteGuard guard(Call call) {
    boolean decides =
        COLLECTIONS.contains(call.type().storage()) && !call.subresource().equals("status");
    boolean decided = call.permission() != WriteGuard.NONE;
    if (!decides && !decided) {
      return WriteGuard.NONE;
    }
    return snapshot -> {
      long expected = decided ? Operation.notAfter(snapshot.revision()) : Operation.ANY;
      return List.of(
          decides ? new Operation.Put(KEY, CHANGED, expected) : new Operation.Check(KEY, expected));
    };
  }
}
