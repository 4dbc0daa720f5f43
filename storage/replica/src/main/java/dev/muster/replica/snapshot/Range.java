package dev.muster.replica.snapshot;

import dev.muster.model.ObjectName;
import dev.muster.replica.object.StoredObject;
import java.util.Iterator;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.function.Predicate;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/** Objects of one collection in key order. Immutable: it may be iterated often and by anybody. */
public interface Range extends Iterable<StoredObject> {

  @Override
  Iterator<StoredObject> iterator();

  /** How many objects there are. */
  int count();

  /** How many objects a walk looks at, those included that it passes over. */
  default int looks() {
    return count();
  }

  /** The rest of this range after that name, whether or not an object has it. */
  Range startingAfter(ObjectName name);

  /** The objects of this range that meet a condition; every walk looks at all of it. */
  default Range where(Predicate<StoredObject> condition) {
    return new ScannedRange(this, condition);
  }

  default boolean isEmpty() {
    return !iterator().hasNext();
  }

  default Stream<StoredObject> stream() {
    return StreamSupport.stream(
        Spliterators.spliteratorUnknownSize(
            iterator(), Spliterator.ORDERED | Spliterator.NONNULL | Spliterator.IMMUTABLE),
        false);
  }
}
