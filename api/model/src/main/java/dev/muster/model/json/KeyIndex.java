package dev.muster.model.json;

import java.util.Arrays;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/**
 * Maps many keys to their positions: a hash table, or a sorted order when the keys collide in the
 * hash table. A lookup takes at most logarithmic time, even for keys chosen by an attacker.
 *
 * @param slots positions plus one, or null when the keys collide too much
 * @param sorted positions in the order of their keys, or null when there are slots
 */
record KeyIndex(int @Nullable [] slots, Integer @Nullable [] sorted) {
  private static final int LONGEST_CHAIN = 32;

  static KeyIndex of(String[] keys) {
    int[] slots = new int[Integer.highestOneBit(keys.length) * 4];
    for (int i = 0; i < keys.length; i++) {
      int slot = start(keys[i], slots);
      int steps = 0;
      while (slots[slot] != 0) {
        if (++steps > LONGEST_CHAIN) {
          return sorted(keys);
        }
        slot = (slot + 1) & (slots.length - 1);
      }
      slots[slot] = i + 1;
    }
    return new KeyIndex(slots, null);
  }

  private static KeyIndex sorted(String[] keys) {
    var order = new Integer[keys.length];
    Arrays.setAll(order, i -> i);
    Arrays.sort(order, Comparator.comparing(i -> keys[i]));
    return new KeyIndex(null, order);
  }

  private static int start(String key, int[] slots) {
    int hash = key.hashCode();
    return (hash ^ (hash >>> 16)) & (slots.length - 1);
  }

  /** The position of the key among the keys of this index, or -1. */
  int find(String[] keys, String key) {
    if (slots != null) {
      int slot = start(key, slots);
      while (slots[slot] != 0) {
        int position = slots[slot] - 1;
        if (keys[position].equals(key)) {
          return position;
        }
        slot = (slot + 1) & (slots.length - 1);
      }
      return -1;
    }
    var order = sorted;
    if (order == null) {
      return -1;
    }
    int low = 0;
    int high = order.length - 1;
    while (low <= high) {
      int middle = (low + high) >>> 1;
      int compared = keys[order[middle]].compareTo(key);
      if (compared == 0) {
        return order[middle];
      }
      if (compared < 0) {
        low = middle + 1;
      } else {
        high = middle - 1;
      }
    }
    return -1;
  }
}
