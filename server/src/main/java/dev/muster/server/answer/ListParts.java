package dev.muster.server.answer;

import dev.muster.replica.StoredObject;
import dev.muster.server.http.Pieces;
import java.util.Iterator;
import java.util.NoSuchElementException;

/** Belongs to one thread: a list whose items are shared bytes, in parts of a handy size. */
final class ListParts implements Iterator<Pieces> {
  private static final int PART = 64 * 1024;

  /** Adds one object, with what separates it from the one before. */
  interface Item {
    void addTo(StoredObject object, boolean first, Pieces out);
  }

  private final Iterator<StoredObject> objects;
  private final byte[] head;
  private final Item item;
  private final byte[] tail;
  private boolean begun;
  private boolean ended;

  ListParts(Iterator<StoredObject> objects, byte[] head, Item item, byte[] tail) {
    this.objects = objects;
    this.head = head;
    this.item = item;
    this.tail = tail;
  }

  @Override
  public boolean hasNext() {
    return !ended;
  }

  @Override
  public Pieces next() {
    if (ended) {
      throw new NoSuchElementException();
    }
    var out = new Pieces(64);
    boolean first = !begun;
    if (!begun) {
      begun = true;
      out.add(head);
    }
    while (objects.hasNext() && out.left() < PART) {
      item.addTo(objects.next(), first, out);
      first = false;
    }
    if (!objects.hasNext()) {
      out.add(tail);
      ended = true;
    }
    return out;
  }
}
