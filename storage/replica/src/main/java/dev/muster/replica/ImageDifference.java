package dev.muster.replica;

import dev.muster.replica.object.StoredObject;
import dev.muster.replica.snapshot.Collection;
import dev.muster.replica.snapshot.LastReadableObject;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Computes the changes of a collection between its last state and a newly loaded image. */
final class ImageDifference {
  private ImageDifference() {}

  /** An object that was created or changed; {@code previous} is null for a new object. */
  record Step(@Nullable StoredObject previous, StoredObject object) {}

  /**
   * Returns the changes since that revision in commit order, one per object. Returns nothing when
   * events cannot represent the changes correctly:
   *
   * <ul>
   *   <li>An object was deleted. The revision of its deletion is unknown, and a watcher that moves
   *       to another server with a later revision would miss it.
   *   <li>An object was replaced by another one with the same name.
   *   <li>An object became readable or unreadable.
   * </ul>
   */
  static Optional<List<Step>> between(Collection before, LoadedImage.Group after, long since) {
    var steps = new ArrayList<Step>();
    int survivors = 0;
    for (var object : after.objects()) {
      var previous = before.readable(object.name());
      survivors += previous == null ? 0 : 1;
      if (previous != null && previous.revision() == object.revision()) {
        continue;
      }
      if (object.revision() <= since || (previous != null && !same(previous, object))) {
        return Optional.empty();
      }
      steps.add(new Step(previous, object));
    }
    var lost = new HashSet<>(before.unreadable());
    var stillLost =
        after.lost().stream().map(LastReadableObject::object).collect(Collectors.toSet());
    if (survivors < before.size() || !lost.equals(stillLost)) {
      return Optional.empty();
    }
    steps.sort(Comparator.comparingLong(step -> step.object.revision()));
    return Optional.of(steps);
  }

  private static boolean same(StoredObject previous, StoredObject object) {
    return previous.uid().equals(object.uid());
  }
}
