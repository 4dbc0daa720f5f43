package dev.muster.replica.snapshot;

import dev.muster.model.ObjectName;
import dev.muster.replica.object.StoredObject;
import dev.muster.replica.tree.Probe;
import dev.muster.replica.tree.SortedTree;
import java.util.Iterator;

/** A contiguous range of a sorted tree. */
final class TreeRange implements Range {
  private final SortedTree<StoredObject> tree;
  private final String value;
  private final int from;
  private final int to;

  private TreeRange(SortedTree<StoredObject> tree, String value, int from, int to) {
    this.tree = tree;
    this.value = value;
    this.from = from;
    this.to = to;
  }

  TreeRange(SortedTree<StoredObject> tree, String value, Probe first, Probe last) {
    this(tree, value, tree.rank(first), tree.rank(last));
  }

  static TreeRange all(SortedTree<StoredObject> tree) {
    return new TreeRange(tree, "", 0, tree.size());
  }

  @Override
  public Iterator<StoredObject> iterator() {
    return tree.iterator(from, to);
  }

  @Override
  public int count() {
    return to - from;
  }

  @Override
  public Range startingAfter(ObjectName name) {
    var probe = new Probe(value, name.namespace(), name.name());
    int rank = tree.rank(probe) + (tree.get(probe) == null ? 0 : 1);
    return new TreeRange(tree, value, Math.clamp(rank, from, to), to);
  }
}
