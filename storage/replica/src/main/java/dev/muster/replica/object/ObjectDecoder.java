package dev.muster.replica.object;

import dev.muster.schema.storage.StorageCodec;

/**
 * Turns the stored values of a collection into the bytes that the API serves. Safe for use by many
 * threads; throws any runtime exception for a value that it cannot read.
 */
@FunctionalInterface
public interface ObjectDecoder {

  /**
   * @param revision the revision that wrote the value: the object's resource version
   */
  StorageCodec.Decoded decode(byte[] value, long revision);
}
