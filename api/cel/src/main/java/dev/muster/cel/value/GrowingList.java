package dev.muster.cel.value;

import java.util.ArrayList;
import java.util.List;

/**
 * A view of the beginning of a growing list. Appending to the newest view copies nothing, so a loop
 * that collects its results one by one takes linear time. Not thread-safe.
 */
final class GrowingList implements CelList {
  private final List<Object> items;
  private final int size;

  private GrowingList(List<Object> items) {
    this.items = items;
    this.size = items.size();
  }

  static GrowingList of(CelList list) {
    if (list instanceof GrowingList growing) {
      return growing;
    }
    var items = new ArrayList<>(list.size() + 4);
    addAll(items, list);
    return new GrowingList(items);
  }

  private static void addAll(List<Object> items, CelList list) {
    for (int i = 0; i < list.size(); i++) {
      items.add(list.get(i));
    }
  }

  @Override
  public int size() {
    return size;
  }

  @Override
  public Object get(int index) {
    return items.get(index);
  }

  @Override
  public CelList plus(CelList more) {
    var grown = items.size() == size ? items : new ArrayList<>(items.subList(0, size));
    addAll(grown, more);
    return new GrowingList(grown);
  }
}
