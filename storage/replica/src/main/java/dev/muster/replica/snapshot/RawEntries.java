package dev.muster.replica.snapshot;

import dev.muster.replica.tree.Probe;
import dev.muster.replica.tree.SortOrder;
import dev.muster.replica.tree.SortedTree;
import dev.muster.store.Entry;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The entries of the store that are not API objects, in key order. Immutable.
 *
 * @param changed the revision at which one of these entries last changed
 */
public record RawEntries(SortedTree<Entry> tree, long changed) {
  public static final RawEntries NONE = new RawEntries(SortedTree.empty(SortOrder.BY_KEY), 0);

  /** Those entries as of that revision. */
  public static RawEntries of(List<Entry> entries, long revision) {
    return new RawEntries(SortedTree.of(SortOrder.BY_KEY, entries), revision);
  }

  public RawEntries with(Entry entry, long revision) {
    return new RawEntries(tree.put(entry), revision);
  }

  public RawEntries without(String key, long revision) {
    return new RawEntries(tree.remove(Probe.of("", key)), revision);
  }

  /** The same entries, marked as changed at that revision. */
  public RawEntries at(long revision) {
    return new RawEntries(tree, revision);
  }

  public @Nullable Entry get(String key) {
    return tree.get(Probe.of("", key));
  }

  public int size() {
    return tree.size();
  }

  /** The entries whose key has that prefix, in key order. */
  public List<Entry> under(String prefix) {
    var found = new ArrayList<Entry>();
    int first = tree.rank(Probe.of("", prefix));
    for (var rest = tree.iterator(first, tree.size()); rest.hasNext(); ) {
      var entry = rest.next();
      if (!entry.key().startsWith(prefix)) {
        break;
      }
      found.add(entry);
    }
    return found;
  }
}
