package dev.muster.replica.snapshot;

import dev.muster.model.ObjectName;
import dev.muster.replica.object.StoredObject;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The objects of another range that meet a condition. Every iteration examines the whole range. */
record ScannedRange(Range whole, Predicate<StoredObject> condition) implements Range {
  @Override
  public Iterator<StoredObject> iterator() {
    var all = whole.iterator();
    return new Iterator<>() {
      private @Nullable StoredObject next = seek();

      private @Nullable StoredObject seek() {
        while (all.hasNext()) {
          var object = all.next();
          if (condition.test(object)) {
            return object;
          }
        }
        return null;
      }

      @Override
      public boolean hasNext() {
        return next != null;
      }

      @Override
      public StoredObject next() {
        var found = next;
        if (found == null) {
          throw new NoSuchElementException();
        }
        next = seek();
        return found;
      }
    };
  }

  @Override
  public int count() {
    int count = 0;
    for (var all = whole.iterator(); all.hasNext(); ) {
      count += condition.test(all.next()) ? 1 : 0;
    }
    return count;
  }

  @Override
  public int looks() {
    return whole.looks();
  }

  @Override
  public Range startingAfter(ObjectName name) {
    return new ScannedRange(whole.startingAfter(name), condition);
  }
}
