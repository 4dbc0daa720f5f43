package dev.muster.registry.read;

import dev.muster.replica.object.StoredObject;
import dev.muster.types.ServedType;
import dev.muster.types.scheduling.CpuTask;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.NoSuchElementException;

/**
 * Finds the objects that match a field selector in the version of the request, when a webhook must
 * convert them first. It converts many objects per call. Only one thread uses it, and it blocks
 * that thread.
 */
final class ConvertedMatches implements Iterator<StoredObject> {
  private static final int AT_A_TIME = 500;

  private final Iterator<StoredObject> candidates;
  private final Selection selection;
  private final ServedType type;
  private final ArrayDeque<StoredObject> found = new ArrayDeque<>();

  ConvertedMatches(Iterator<StoredObject> candidates, Selection selection, ServedType type) {
    this.candidates = candidates;
    this.selection = selection;
    this.type = type;
  }

  @Override
  public boolean hasNext() {
    while (found.isEmpty() && candidates.hasNext()) {
      convert();
    }
    return !found.isEmpty();
  }

  private void convert() {
    var stored = new ArrayList<StoredObject>();
    while (candidates.hasNext() && stored.size() < AT_A_TIME) {
      CpuTask.checkpoint();
      var object = candidates.next();
      if (selection.mayMatch(object)) {
        stored.add(object);
      }
    }
    var shown = type.fromStored(stored.stream().map(StoredObject::tree).toList());
    for (int i = 0; i < stored.size(); i++) {
      if (selection.matchesFields(stored.get(i), shown.get(i))) {
        found.add(stored.get(i));
      }
    }
  }

  @Override
  public StoredObject next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    return found.remove();
  }
}
