package dev.muster.replica;

import java.util.Map;

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
  Decoded decode(String storage, byte[] value, long revision);

  /**
   * A readable object.
   *
   * @param json its canonical JSON including the resource version; never changed afterwards
   */
  record Decoded(
      byte[] json, String namespace, String name, String uid, Map<String, String> labels) {}
}
