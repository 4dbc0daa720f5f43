package dev.muster.admission.policy;

import dev.muster.model.json.JsonObject;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** For the thread of one request: which mutating policies are asked again in the second round. */
final class InvokedPolicies {
  /** A policy with what put it in force and what it was evaluated with. */
  record Key(String policy, String binding, String namespace, String parameter) {}

  private final Set<Key> invoked = new HashSet<>();
  private final Set<Key> again = new HashSet<>();
  private @Nullable JsonObject last;

  /** The object after all policies. */
  void left(JsonObject object) {
    last = object;
  }

  /** Somebody else changed the object since all policies have seen it. */
  boolean isChanged(JsonObject object) {
    return !Objects.equals(last, object);
  }

  /** A policy that wants to see later changes has run. */
  void invoked(Key key) {
    invoked.add(key);
  }

  /** The object has changed: those that have run and want to see that are asked again. */
  void changed() {
    again.addAll(invoked);
    invoked.clear();
  }

  boolean isAskedAgain(Key key) {
    return again.contains(key);
  }
}
