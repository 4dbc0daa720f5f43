package dev.muster.replica.object;

import dev.muster.schema.storage.StorageCodec;

/**
 * Decodes the stored values of a collection into the bytes that the API serves. Thread-safe. Throws
 * any runtime exception for a value that it cannot decode.
 */
@FunctionalInterface
public interface ObjectDecoder {

  /**
   * @param revision the mod revision of the value, which becomes the object's resource version
   */
  StorageCodec.Decoded decode(byte[] value, long revision);
}
