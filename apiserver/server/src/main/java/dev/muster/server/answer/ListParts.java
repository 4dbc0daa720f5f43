package dev.muster.server.answer;

import dev.muster.http.SharedBytes;
import dev.muster.http.limits.OutgoingBudget;
import java.util.Iterator;
import java.util.NoSuchElementException;

/**
 * Encodes a list in parts of limited size, while the parts are taken. One thread at a time uses it.
 */
final class ListParts<T> implements Iterator<SharedBytes> {

  /** Adds one item, with the separator from the item before. */
  interface Item<T> {
    void addTo(T item, boolean first, SharedBytes out);
  }

  private final Iterator<T> items;
  private final byte[] head;
  private final Item<T> item;
  private final byte[] tail;
  private boolean begun;
  private boolean ended;

  ListParts(Iterator<T> items, byte[] head, Item<T> item, byte[] tail) {
    this.items = items;
    this.head = head;
    this.item = item;
    this.tail = tail;
  }

  @Override
  public boolean hasNext() {
    return !ended;
  }

  @Override
  public SharedBytes next() {
    if (ended) {
      throw new NoSuchElementException();
    }
    var out = new SharedBytes(64);
    boolean first = !begun;
    if (!begun) {
      begun = true;
      out.add(head);
    }
    while (items.hasNext() && out.left() < OutgoingBudget.PART) {
      item.addTo(items.next(), first, out);
      first = false;
    }
    if (!items.hasNext()) {
      out.add(tail);
      ended = true;
    }
    return out;
  }
}
