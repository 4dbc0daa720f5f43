package dev.muster.controllers.garbagecollector;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A cache of owners that do not exist, so that their dependents need not ask the API server again.
 * A UID never comes back, so entries never become wrong; the oldest are dropped. Thread-safe,
 * guarded by its own lock.
 */
final class AbsentOwners {
  private static final int CAPACITY = 500;

  private final Map<ObjectReference, Boolean> references =
      new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<ObjectReference, Boolean> eldest) {
          return size() > CAPACITY;
        }
      };

  synchronized void add(ObjectReference owner) {
    references.put(owner, true);
  }

  synchronized boolean contains(ObjectReference owner) {
    return references.get(owner) != null;
  }
}
