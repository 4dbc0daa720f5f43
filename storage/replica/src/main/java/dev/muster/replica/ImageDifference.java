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

/** What happened to a collection while nobody looked, as far as a new image tells. */
final class ImageDifference {
  private ImageDifference() {}

  /** An object that came or changed. */
  record Step(@Nullable StoredObject previous, StoredObject object) {}

  /**
   * The changes since that revision in the order in which they were made, each the last one of its
   * object; or nothing when events cannot tell it truly. They cannot when an object has gone (its
   * deletion has an unknown revision, and a watcher who moves on to another server with a later one
   * would miss it), or is another object by the same name, or when readability changed.
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
