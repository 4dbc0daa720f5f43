package dev.muster.patch;

import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/**
 * A list in chunks, so that an insert at the front of a long list moves one chunk and not the whole
 * list. Only one thread uses it.
 */
final class ChunkedList implements Iterable<Object> {
  private static final int PIECE = 512;

  private final List<ArrayList<Object>> pieces = new ArrayList<>();
  private int size;

  ChunkedList(JsonArray from) {
    ArrayList<Object> piece = null;
    for (Json item : from) {
      if (piece == null || piece.size() == PIECE) {
        piece = new ArrayList<>();
        pieces.add(piece);
      }
      piece.add(item);
    }
    if (pieces.isEmpty()) {
      pieces.add(new ArrayList<>());
    }
    size = from.size();
  }

  int size() {
    return size;
  }

  Object get(int index) {
    int piece = 0;
    int offset = index;
    while (offset >= pieces.get(piece).size()) {
      offset -= pieces.get(piece++).size();
    }
    return pieces.get(piece).get(offset);
  }

  void set(int index, Object value) {
    int piece = 0;
    int offset = index;
    while (offset >= pieces.get(piece).size()) {
      offset -= pieces.get(piece++).size();
    }
    pieces.get(piece).set(offset, value);
  }

  /** Inserts before that index; an index equal to the size appends. */
  void insert(int index, Object value) {
    int piece = 0;
    int offset = index;
    while (offset > pieces.get(piece).size()) {
      offset -= pieces.get(piece++).size();
    }
    var target = pieces.get(piece);
    target.add(offset, value);
    size++;
    if (target.size() == 2 * PIECE) {
      var tail = target.subList(PIECE, target.size());
      pieces.add(piece + 1, new ArrayList<>(tail));
      tail.clear();
    }
  }

  void remove(int index) {
    int piece = 0;
    int offset = index;
    while (offset >= pieces.get(piece).size()) {
      offset -= pieces.get(piece++).size();
    }
    pieces.get(piece).remove(offset);
    size--;
    if (pieces.get(piece).isEmpty() && pieces.size() > 1) {
      pieces.remove(piece);
    }
  }

  @Override
  public Iterator<Object> iterator() {
    return pieces.stream().<Object>flatMap(List::stream).iterator();
  }
}
