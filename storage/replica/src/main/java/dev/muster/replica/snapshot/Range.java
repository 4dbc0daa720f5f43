package dev.muster.replica.snapshot;

import dev.muster.model.ObjectName;
import dev.muster.replica.object.StoredObject;
import java.util.Iterator;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.function.Predicate;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * A range of objects of one collection in key order. Immutable and thread-safe; callers may iterate
 * it repeatedly.
 */
public interface Range extends Iterable<StoredObject> {

  @Override
  Iterator<StoredObject> iterator();

  /** The number of objects. */
  int count();

  /** The number of objects that an iteration examines, including the ones that it skips. */
  default int looks() {
    return count();
  }

  /** The part of this range after that name, whether or not an object has that name. */
  Range startingAfter(ObjectName name);

  /** The objects of this range that meet a condition. Every iteration examines the whole range. */
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
