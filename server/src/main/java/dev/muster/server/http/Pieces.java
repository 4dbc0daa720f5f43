package dev.muster.server.http;

import java.util.ArrayList;
import java.util.List;

/** Owned by one event loop: what is left to send of a body made of shared pieces. */
final class Pieces {
  private List<byte[]> pieces;
  private boolean own;
  private int next;
  private int offset;
  private long left;

  Pieces(List<byte[]> shared) {
    pieces = shared;
    for (var piece : shared) {
      left += piece.length;
    }
  }

  Pieces() {
    pieces = new ArrayList<>(2);
    own = true;
  }

  long left() {
    return left;
  }

  void add(byte[] piece) {
    if (!own || next > 32) {
      pieces = new ArrayList<>(pieces.subList(next, pieces.size()));
      own = true;
      next = 0;
    }
    pieces.add(piece);
    left += piece.length;
  }

  void addAll(Pieces other) {
    if (other.offset != 0) {
      throw new IllegalArgumentException("already being sent");
    }
    for (int i = other.next; i < other.pieces.size(); i++) {
      add(other.pieces.get(i));
    }
  }

  /** Copies that many bytes, of those that are left. */
  void copyTo(Outbound out, int bytes) {
    int wanted = bytes;
    while (wanted > 0) {
      byte[] piece = pieces.get(next);
      int some = Math.min(wanted, piece.length - offset);
      out.bytes(piece, offset, some);
      wanted -= some;
      offset += some;
      if (offset == piece.length) {
        offset = 0;
        next++;
      }
    }
    left -= bytes;
    if (left == 0 && own) {
      pieces.clear();
      next = 0;
      offset = 0;
    }
  }
}
