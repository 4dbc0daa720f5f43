package dev.muster.admission.policy;

import dev.muster.model.json.JsonObject;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Tracks which mutating policies run again in the second round of one request. Not thread-safe. */
final class InvokedPolicies {
  /** A policy with the binding and the parameter of its evaluation. */
  record Key(String policy, String binding, String namespace, String parameter) {}

  private final Set<Key> invoked = new HashSet<>();
  private final Set<Key> again = new HashSet<>();
  private @Nullable JsonObject last;

  /** Records the object after all policies. */
  void left(JsonObject object) {
    last = object;
  }

  /** Whether another plugin has changed the object since the policies ran. */
  boolean isChanged(JsonObject object) {
    return !Objects.equals(last, object);
  }

  /** Records that a policy with reinvocation has run. */
  void invoked(Key key) {
    invoked.add(key);
  }

  /**
   * Records a change of the object: all policies with reinvocation that have run must run again.
   */
  void changed() {
    again.addAll(invoked);
    invoked.clear();
  }

  boolean isAskedAgain(Key key) {
    return again.contains(key);
  }
}
