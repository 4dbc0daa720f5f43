package dev.muster.registry.stored;

import dev.muster.wire.CborReader;
import dev.muster.wire.Document;
import dev.muster.wire.JsonReader;
import dev.muster.wire.yaml.YamlReader;

/** Decodes stored values in the encodings other than protobuf that kube-apiserver reads. */
public final class ForeignBytes {
  /** The prefix of self-described CBOR (RFC 8949, 3.4.6). */
  private static final byte[] CBOR = {(byte) 0xd9, (byte) 0xd9, (byte) 0xf7};

  private ForeignBytes() {}

  /**
   * Decodes a value.
   *
   * @throws dev.muster.wire.DecodeException when it has none of those encodings
   */
  public static Document read(byte[] value) {
    if (startsWith(value, CBOR)) {
      return new Document(CborReader.read(value));
    }
    int start = 0;
    while (start < value.length && Character.isWhitespace(value[start])) {
      start++;
    }
    return start < value.length && value[start] == '{'
        ? JsonReader.document(value)
        : YamlReader.document(value);
  }

  private static boolean startsWith(byte[] value, byte[] prefix) {
    if (value.length < prefix.length) {
      return false;
    }
    for (int i = 0; i < prefix.length; i++) {
      if (value[i] != prefix[i]) {
        return false;
      }
    }
    return true;
  }
}
