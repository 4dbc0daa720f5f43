package dev.muster.registry.read;

import dev.muster.model.ObjectName;
import dev.muster.replica.object.StoredObject;
import dev.muster.replica.snapshot.Range;
import java.util.Iterator;
import java.util.List;

/** Makes ranges of a few given objects. */
final class Ranges {
  private Ranges() {}

  static Range of(List<StoredObject> objects) {
    return new Range() {
      @Override
      public Iterator<StoredObject> iterator() {
        return objects.iterator();
      }

      @Override
      public int count() {
        return objects.size();
      }

      @Override
      public Range startingAfter(ObjectName name) {
        return of(objects.stream().filter(o -> o.name().compareTo(name) > 0).toList());
      }
    };
  }
}
