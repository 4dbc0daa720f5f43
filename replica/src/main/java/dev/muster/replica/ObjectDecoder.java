package dev.muster.replica;

import dev.muster.schema.StorageCodec;

/**
 * Turns stored values into the bytes that the API serves. Safe for use by many threads; throws any
 * runtime exception for a value that it cannot read.
 */
@FunctionalInterface
public interface ObjectDecoder {

  /**
   * @param storage the collection that the value belongs to
   * @param revision the revision that wrote the value: the object's resource version
   */
  StorageCodec.Decoded decode(String storage, byte[] value, long revision);
}
