package dev.muster.registry.body;

import dev.muster.wire.Document;
import dev.muster.wire.Encoding;

/** Decodes bodies of every encoding to JSON trees. */
@FunctionalInterface
public interface Decoders {
  /**
   * @throws dev.muster.wire.DecodeException when the bytes are not valid in that encoding
   */
  Document decode(Encoding encoding, byte[] bytes);
}
