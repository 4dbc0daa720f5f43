package dev.muster.registry.read;

import dev.muster.replica.object.StoredObject;
import dev.muster.replica.snapshot.Snapshot;
import dev.muster.types.ServedType;
import dev.muster.types.options.ContinueToken;
import dev.muster.types.options.ListOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/**
 * One page of a list, or a whole list, at one revision. Without a limit, iterating finds the
 * objects one by one, so that a large list is never held in memory as a whole.
 *
 * @param revision negative for objects that are not stored
 * @param continueToken "" on the last page
 * @param remaining how many objects follow this page, if known
 */
public record ListPage(
    long revision, Iterable<StoredObject> objects, String continueToken, OptionalLong remaining) {

  public static ListPage of(
      Snapshot snapshot, ServedType type, Selection selection, ListOptions options) {
    var collection = snapshot.collection(type.storage());
    var candidates = selection.candidates(collection);
    if (!options.continueToken().isEmpty()) {
      var token = ContinueToken.parse(options.continueToken());
      candidates = candidates.startingAfter(token.last(selection.namespace()));
    }
    var matching = selection.matching(candidates);
    boolean unlimited = options.limit() <= 0 || options.resourceVersion().equals("0");
    if (unlimited) {
      return new ListPage(snapshot.revision(), matching, "", OptionalLong.empty());
    }
    var page = new ArrayList<StoredObject>();
    var rest = matching.iterator();
    while (rest.hasNext() && page.size() < options.limit()) {
      page.add(rest.next());
    }
    if (!rest.hasNext()) {
      return new ListPage(snapshot.revision(), page, "", OptionalLong.empty());
    }
    return new ListPage(
        snapshot.revision(),
        page,
        ContinueToken.after(page.getLast().name(), selection.namespace(), snapshot.revision())
            .text(),
        selection.selectsEverything()
            ? OptionalLong.of(candidates.count() - page.size())
            : OptionalLong.empty());
  }

  /** This page with only these objects. */
  public ListPage of(List<StoredObject> some) {
    return new ListPage(revision, some, continueToken, remaining);
  }
}
