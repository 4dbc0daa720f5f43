package dev.muster.store;

import java.util.Iterator;

/**
 * All keys of the store at one revision, in key order. One thread reads it, once. Iterating throws
 * {@link StoreException} when the store fails during the read.
 */
public interface Image extends Iterable<Entry>, AutoCloseable {
  long revision();

  @Override
  Iterator<Entry> iterator();

  @Override
  void close();
}
