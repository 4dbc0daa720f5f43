package dev.muster.replica.snapshot;

import dev.muster.replica.object.StoredObject;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An immutable hash table of objects by name. It is a trie over five bits of the hash per level;
 * changed copies share all nodes off the path of the change. A lookup has a third of the cache
 * misses of a sorted tree.
 */
final class NameTable {
  private static final int BITS = 5;
  private static final int HASH_BITS = 32;

  static final NameTable EMPTY = new NameTable(new Node(0, new Object[0]));

  /**
   * One level of the trie. Each slot belongs to one value of the next five bits that occurs, in
   * order. It holds an object, a node, or all objects with one hash.
   */
  private record Node(int bitmap, Object[] slots) {
    private static int bit(int hash, int shift) {
      return 1 << ((hash >>> shift) & ((1 << BITS) - 1));
    }

    private int index(int bit) {
      return Integer.bitCount(bitmap & (bit - 1));
    }

    private boolean has(int bit) {
      return (bitmap & bit) != 0;
    }

    private Node with(int bit, Object value) {
      int index = index(bit);
      Object[] copy;
      if (has(bit)) {
        copy = slots.clone();
      } else {
        copy = Arrays.copyOf(slots, slots.length + 1);
        System.arraycopy(slots, index, copy, index + 1, slots.length - index);
      }
      copy[index] = value;
      return new Node(bitmap | bit, copy);
    }

    private Node without(int bit) {
      int index = index(bit);
      var copy = Arrays.copyOf(slots, slots.length - 1);
      System.arraycopy(slots, index + 1, copy, index, copy.length - index);
      return new Node(bitmap & ~bit, copy);
    }
  }

  private record Equal(List<StoredObject> objects) {}

  private final Node root;

  private NameTable(Node root) {
    this.root = root;
  }

  static NameTable of(List<StoredObject> objects) {
    return objects.isEmpty() ? EMPTY : new NameTable(build(objects, 0));
  }

  private static Node build(List<StoredObject> objects, int shift) {
    var parts = new ArrayList<@Nullable List<StoredObject>>(1 << BITS);
    for (int i = 0; i < 1 << BITS; i++) {
      parts.add(null);
    }
    for (var object : objects) {
      int part = (hash(object) >>> shift) & ((1 << BITS) - 1);
      var members = parts.get(part);
      if (members == null) {
        members = new ArrayList<>();
        parts.set(part, members);
      }
      members.add(object);
    }
    int bitmap = 0;
    var slots = new ArrayList<Object>();
    for (int part = 0; part < 1 << BITS; part++) {
      var members = parts.get(part);
      if (members != null) {
        bitmap |= 1 << part;
        slots.add(slot(members, shift + BITS));
      }
    }
    return new Node(bitmap, slots.toArray());
  }

  private static Object slot(List<StoredObject> objects, int shift) {
    if (objects.size() == 1) {
      return objects.getFirst();
    }
    return shift >= HASH_BITS ? new Equal(List.copyOf(objects)) : build(objects, shift);
  }

  @Nullable StoredObject get(String namespace, String name) {
    int hash = hash(namespace, name);
    var node = root;
    for (int shift = 0; ; shift += BITS) {
      int bit = Node.bit(hash, shift);
      if (!node.has(bit)) {
        return null;
      }
      var slot = node.slots[node.index(bit)];
      if (slot instanceof StoredObject object) {
        return is(object, namespace, name) ? object : null;
      }
      if (slot instanceof Equal equal) {
        return find(equal, namespace, name);
      }
      node = (Node) slot;
    }
  }

  private static @Nullable StoredObject find(Equal equal, String namespace, String name) {
    for (var object : equal.objects) {
      if (is(object, namespace, name)) {
        return object;
      }
    }
    return null;
  }

  /** This table with the object, which replaces an object of the same name. */
  NameTable put(StoredObject object) {
    return new NameTable(put(root, object, hash(object), 0));
  }

  private static Node put(Node node, StoredObject object, int hash, int shift) {
    int bit = Node.bit(hash, shift);
    if (!node.has(bit)) {
      return node.with(bit, object);
    }
    var slot = node.slots[node.index(bit)];
    return node.with(
        bit,
        switch (slot) {
          case StoredObject other when same(other, object) -> object;
          case StoredObject other -> slot(List.of(other, object), shift + BITS);
          case Equal equal -> new Equal(replaced(equal, object, true));
          default -> put((Node) slot, object, hash, shift + BITS);
        });
  }

  /** This table without the object of that name. */
  NameTable remove(StoredObject object) {
    var changed = remove(root, object, hash(object), 0);
    return changed == root ? this : new NameTable(changed);
  }

  private static Node remove(Node node, StoredObject object, int hash, int shift) {
    int bit = Node.bit(hash, shift);
    if (!node.has(bit)) {
      return node;
    }
    var slot = node.slots[node.index(bit)];
    return switch (slot) {
      case StoredObject other -> same(other, object) ? node.without(bit) : node;
      case Equal equal -> {
        var rest = replaced(equal, object, false);
        yield rest.size() == equal.objects.size() ? node : node.with(bit, slot(rest, shift + BITS));
      }
      default -> {
        var below = remove((Node) slot, object, hash, shift + BITS);
        // A node with a single object is replaced by that object.
        boolean single = below.slots.length == 1 && below.slots[0] instanceof StoredObject;
        yield below == slot ? node : node.with(bit, single ? below.slots[0] : below);
      }
    };
  }

  private static List<StoredObject> replaced(Equal equal, StoredObject object, boolean add) {
    var objects = new ArrayList<>(equal.objects);
    objects.removeIf(other -> same(other, object));
    if (add) {
      objects.add(object);
    }
    return List.copyOf(objects);
  }

  private static boolean same(StoredObject a, StoredObject b) {
    return is(a, b.namespace(), b.simpleName());
  }

  private static boolean is(StoredObject object, String namespace, String name) {
    return object.simpleName().equals(name) && object.namespace().equals(namespace);
  }

  private static int hash(StoredObject object) {
    return hash(object.namespace(), object.simpleName());
  }

  private static int hash(String namespace, String name) {
    int mixed = (namespace.hashCode() * 31 + name.hashCode()) * 0x9E3779B9;
    return mixed ^ (mixed >>> 16);
  }
}
