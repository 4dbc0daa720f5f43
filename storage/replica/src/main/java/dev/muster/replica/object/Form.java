package dev.muster.replica.object;

/**
 * An encoding other than an object's canonical JSON, such as protobuf, another API version or a
 * table row. An object caches the encoded bytes while memory allows, so they may depend only on the
 * object. Thread-safe.
 */
public interface Form {
  /** The maximum number of forms. */
  int SLOTS = 8;

  /**
   * The index at which objects cache this form: below {@link #SLOTS}, and unique within a
   * collection.
   */
  int slot();

  byte[] encode(StoredObject object);

  /** A watch event around an encoded object; a line of JSON unless the form has its own framing. */
  default byte[] frame(EventKind kind, byte[] encoded) {
    return kind.jsonFrame(encoded);
  }
}
