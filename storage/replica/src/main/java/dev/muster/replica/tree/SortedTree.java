package dev.muster.replica.tree;

import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An immutable sorted set: a B-tree whose changed copies share all nodes off the path of the
 * change. Items are their own keys. Every node stores the number of items below it, so counting a
 * range costs no more than finding its ends.
 */
public final class SortedTree<E> {
  private static final int WIDTH = 32;
  private static final int NARROW = 10;

  /** The number of items per node in a newly built tree; it leaves room for insertions. */
  private static final int BUILT = 28;

  private final SortOrder<E> order;
  private final Node root;

  private SortedTree(SortOrder<E> order, Node root) {
    this.order = order;
    this.root = root;
  }

  public static <E> SortedTree<E> empty(SortOrder<E> order) {
    return new SortedTree<>(order, new Node(0, new Object[0], null));
  }

  /**
   * A tree of those items, in linear time when they are sorted. Of equal items the last one stays.
   */
  public static <E> SortedTree<E> of(SortOrder<E> order, List<E> items) {
    if (items.isEmpty()) {
      return empty(order);
    }
    for (int i = 1; i < items.size(); i++) {
      if (order.compare(order.probe(items.get(i - 1)), items.get(i)) >= 0) {
        var tree = SortedTree.<E>empty(order);
        for (var item : items) {
          tree = tree.put(item);
        }
        return tree;
      }
    }
    return new SortedTree<>(order, build(items.toArray()));
  }

  private static Node build(Object[] items) {
    var level = new Node[pieces(items.length)];
    for (int i = 0; i < level.length; i++) {
      level[i] =
          Node.leaf(Arrays.copyOfRange(items, cut(items, level, i), cut(items, level, i + 1)));
    }
    while (level.length > 1) {
      var above = new Node[pieces(level.length)];
      for (int i = 0; i < above.length; i++) {
        above[i] =
            Node.branch(Arrays.copyOfRange(level, cut(level, above, i), cut(level, above, i + 1)));
      }
      level = above;
    }
    return level[0];
  }

  private static int pieces(int length) {
    return (length + BUILT - 1) / BUILT;
  }

  private static int cut(Object[] whole, Object[] pieces, int index) {
    return (int) ((long) whole.length * index / pieces.length);
  }

  public int size() {
    return root.size;
  }

  /** The number of leaves. */
  int leaves() {
    return root.leaves();
  }

  /** The item at that position, or null. */
  public @Nullable E get(Probe probe) {
    var node = root;
    while (true) {
      int at = find(node.keys, probe);
      if (node.children == null) {
        return at >= 0 ? item(node, at) : null;
      }
      if (at == -1) {
        return null;
      }
      node = node.children[at >= 0 ? at : -at - 2];
    }
  }

  /** This tree with the item, which replaces an equal item. */
  public SortedTree<E> put(E item) {
    var changed = put(root, order.probe(item), item);
    if (changed.keys.length > WIDTH) {
      changed = Node.branch(changed.halves(changed.keys.length / 2));
    }
    return new SortedTree<>(order, changed);
  }

  private Node put(Node node, Probe probe, E item) {
    int at = find(node.keys, probe);
    if (node.children == null) {
      return Node.leaf(
          at >= 0 ? replaced(node.keys, at, item) : inserted(node.keys, -at - 1, item));
    }
    int index = Math.max(0, at >= 0 ? at : -at - 2);
    var child = put(node.children[index], probe, item);
    if (child.keys.length <= WIDTH) {
      return node.with(index, child);
    }
    // Items that arrive in order leave full nodes behind them.
    boolean appended = index == node.children.length - 1 && child.lastIs(item);
    var halves = child.halves(appended ? WIDTH - 4 : child.keys.length / 2);
    var children = inserted(node.children, index + 1, halves[1]);
    children[index] = halves[0];
    return Node.branch(children);
  }

  /** This tree without the item at that position. */
  public SortedTree<E> remove(Probe probe) {
    var changed = remove(root, probe);
    if (changed == root) {
      return this;
    }
    while (changed.children != null && changed.children.length == 1) {
      changed = changed.children[0];
    }
    return new SortedTree<>(order, changed);
  }

  private Node remove(Node node, Probe probe) {
    int at = find(node.keys, probe);
    if (node.children == null) {
      return at < 0 ? node : Node.leaf(removed(node.keys, at));
    }
    if (at == -1) {
      return node;
    }
    int index = at >= 0 ? at : -at - 2;
    var before = node.children[index];
    var child = remove(before, probe);
    if (child == before) {
      return node;
    }
    if (child.keys.length == 0) {
      return Node.branch(removed(node.children, index));
    }
    if (child.keys.length < NARROW && node.children.length > 1) {
      int left = index == 0 ? 0 : index - 1;
      var a = left == index ? child : node.children[left];
      var b = left == index ? node.children[index + 1] : child;
      if (a.keys.length + b.keys.length <= WIDTH) {
        var children = removed(node.children, left);
        children[left] = a.and(b);
        return Node.branch(children);
      }
    }
    return node.with(index, child);
  }

  /** The number of items before that position. */
  public int rank(Probe probe) {
    int rank = 0;
    var node = root;
    while (true) {
      int at = find(node.keys, probe);
      if (node.children == null) {
        return rank + (at >= 0 ? at : -at - 1);
      }
      if (at == -1) {
        return rank;
      }
      int index = at >= 0 ? at : -at - 2;
      for (int i = 0; i < index; i++) {
        rank += node.children[i].size;
      }
      node = node.children[index];
    }
  }

  /** The items from one rank up to, but not including, another. */
  public Iterator<E> iterator(int from, int to) {
    return new Walk(from, to);
  }

  private final class Walk implements Iterator<E> {
    private final Node[] path = new Node[12];
    private final int[] next = new int[12];
    private int depth;
    private int left;

    Walk(int from, int to) {
      left = to - from;
      if (left <= 0) {
        return;
      }
      int skip = from;
      var node = root;
      while (true) {
        path[depth] = node;
        if (node.children == null) {
          next[depth] = skip;
          return;
        }
        int index = 0;
        while (skip >= node.children[index].size) {
          skip -= node.children[index++].size;
        }
        next[depth++] = index + 1;
        node = node.children[index];
      }
    }

    @Override
    public boolean hasNext() {
      return left > 0;
    }

    @Override
    public E next() {
      if (left <= 0) {
        throw new NoSuchElementException();
      }
      left--;
      var leaf = path[depth];
      if (next[depth] == leaf.keys.length) {
        leaf = nextLeaf();
      }
      return item(leaf, next[depth]++);
    }

    private Node nextLeaf() {
      do {
        depth--;
      } while (next[depth] == path[depth].keys.length);
      var children = path[depth].children;
      while (children != null) {
        var node = children[next[depth]++];
        path[++depth] = node;
        next[depth] = 0;
        children = node.children;
      }
      return path[depth];
    }
  }

  /**
   * Like {@link Arrays#binarySearch}: the index of the probe, or its insertion point negated minus
   * one.
   */
  @SuppressWarnings("unchecked")
  private int find(Object[] keys, Probe probe) {
    int low = 0;
    int high = keys.length - 1;
    while (low <= high) {
      int middle = (low + high) >>> 1;
      int order = this.order.compare(probe, (E) keys[middle]);
      if (order == 0) {
        return middle;
      }
      if (order > 0) {
        low = middle + 1;
      } else {
        high = middle - 1;
      }
    }
    return -low - 1;
  }

  @SuppressWarnings("unchecked")
  private E item(Node leaf, int index) {
    return (E) leaf.keys[index];
  }

  private static <T> T[] replaced(T[] array, int index, T value) {
    var copy = array.clone();
    copy[index] = value;
    return copy;
  }

  private static <T> T[] inserted(T[] array, int index, T value) {
    var copy = Arrays.copyOf(array, array.length + 1);
    System.arraycopy(array, index, copy, index + 1, array.length - index);
    copy[index] = value;
    return copy;
  }

  private static <T> T[] removed(T[] array, int index) {
    var copy = Arrays.copyOf(array, array.length - 1);
    System.arraycopy(array, index + 1, copy, index, copy.length - index);
    return copy;
  }

  /**
   * A leaf, whose keys are the items, or a branch, whose keys are the first items of its children.
   * A branch takes its keys from its current children, so that no replaced item stays reachable.
   */
  private record Node(int size, Object[] keys, Node @Nullable [] children) {
    static Node leaf(Object[] items) {
      return new Node(items.length, items, null);
    }

    static Node branch(Node[] children) {
      var keys = new Object[children.length];
      int size = 0;
      for (int i = 0; i < keys.length; i++) {
        keys[i] = children[i].keys[0];
        size += children[i].size;
      }
      return new Node(size, keys, children);
    }

    /** This branch with one child replaced. */
    Node with(int index, Node child) {
      var old = Objects.requireNonNull(children);
      var changedKeys = keys[index] == child.keys[0] ? keys : replaced(keys, index, child.keys[0]);
      return new Node(
          size - old[index].size + child.size, changedKeys, replaced(old, index, child));
    }

    Node[] halves(int middle) {
      if (children == null) {
        return new Node[] {
          leaf(Arrays.copyOf(keys, middle)), leaf(Arrays.copyOfRange(keys, middle, keys.length))
        };
      }
      return new Node[] {
        branch(Arrays.copyOf(children, middle)),
        branch(Arrays.copyOfRange(children, middle, children.length))
      };
    }

    Node and(Node right) {
      if (children == null || right.children == null) {
        return leaf(joined(keys, right.keys));
      }
      return branch(joined(children, right.children));
    }

    private static <T> T[] joined(T[] left, T[] right) {
      var both = Arrays.copyOf(left, left.length + right.length);
      System.arraycopy(right, 0, both, left.length, right.length);
      return both;
    }

    int leaves() {
      return children == null ? 1 : Arrays.stream(children).mapToInt(Node::leaves).sum();
    }

    boolean lastIs(Object item) {
      return children == null && keys[keys.length - 1] == item;
    }
  }
}
