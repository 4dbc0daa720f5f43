package dev.muster.cel.value;

import java.util.List;

/** A list; never changes. */
public interface CelList {
  CelList EMPTY = of(List.of());

  int size();

  /**
   * @param index at least 0 and less than the size
   */
  Object get(int index);

  /** Whether the other value is a list that says the same. */
  default boolean isSame(Object other) {
    if (!(other instanceof CelList list) || list.size() != size()) {
      return false;
    }
    for (int i = 0; i < size(); i++) {
      if (!CelValues.equal(get(i), list.get(i))) {
        return false;
      }
    }
    return true;
  }

  /** This list and behind it another one. */
  default CelList plus(CelList more) {
    return GrowingList.of(this).plus(more);
  }

  static CelList of(List<?> items) {
    return new CelList() {
      @Override
      public int size() {
        return items.size();
      }

      @Override
      public Object get(int index) {
        return items.get(index);
      }
    };
  }
}
