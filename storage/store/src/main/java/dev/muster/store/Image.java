package dev.muster.store;

import java.util.Iterator;

/**
 * The key space at one revision, in key order, read once by one thread. Iterating throws {@link
 * StoreException} when the engine fails half-way.
 */
public interface Image extends Iterable<Entry>, AutoCloseable {
  long revision();

  @Override
  Iterator<Entry> iterator();

  @Override
  void close();
}
