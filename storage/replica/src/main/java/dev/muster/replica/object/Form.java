package dev.muster.replica.object;

/**
 * An encoding other than an object's canonical JSON: protobuf, another API version, a table row. An
 * object keeps what a form made of it for as long as memory allows, so encoding must depend on the
 * object alone. Safe for use by many threads.
 */
public interface Form {
  /** How many forms there can be. */
  int SLOTS = 8;

  /** Where objects keep this form: below {@link #SLOTS}, and of this form alone per collection. */
  int slot();

  byte[] encode(StoredObject object);

  /** A watch event around an encoded object; a line of JSON unless the form has its own framing. */
  default byte[] frame(EventKind kind, byte[] encoded) {
    return kind.jsonFrame(encoded);
  }
}
