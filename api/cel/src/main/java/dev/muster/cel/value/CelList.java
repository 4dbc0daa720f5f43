package dev.muster.cel.value;

import java.util.List;

/** An immutable list. */
public interface CelList {
  CelList EMPTY = of(List.of());

  int size();

  /**
   * @param index at least 0 and less than the size
   */
  Object get(int index);

  /** Whether the other value is an equal list. */
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

  /** The concatenation of both lists. */
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
