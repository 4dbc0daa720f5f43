package dev.muster.controllers.garbagecollector;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Guarded by its own lock. Owners that are known not to exist, so that each of many dependents need
 * not ask again. As nothing ever comes back with its uid, what is in here stays true; the oldest
 * are forgotten.
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
