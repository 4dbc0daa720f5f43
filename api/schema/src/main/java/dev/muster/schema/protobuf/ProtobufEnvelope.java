package dev.muster.schema.protobuf;

import dev.muster.wire.DecodeException;
import java.util.Arrays;

/**
 * The envelope of an object in protobuf.
 *
 * @param from the start of the object in the bytes
 * @param to the end of the object
 */
record ProtobufEnvelope(String apiVersion, String kind, byte[] bytes, int from, int to) {

  static ProtobufEnvelope read(byte[] bytes, byte[] prefix) {
    if (bytes.length == 0) {
      throw new DecodeException("empty data");
    }
    if (bytes.length < prefix.length
        || !Arrays.equals(bytes, 0, prefix.length, prefix, 0, prefix.length)) {
      throw new DecodeException(
          "provided data does not appear to be a protobuf message, expected prefix"
              + " [107 56 115 0]");
    }
    if (bytes.length == prefix.length) {
      throw new DecodeException("empty body");
    }
    var in = new ProtobufBytes(bytes, prefix.length, bytes.length);
    var apiVersion = "";
    var kind = "";
    int from = 0;
    int to = 0;
    while (in.at() < bytes.length) {
      int tag = in.tag();
      switch (tag >>> 3) {
        case 1 -> {
          int end = in.length(tag);
          while (in.at() < end) {
            int inner = in.tag();
            switch (inner >>> 3) {
              case 1 -> apiVersion = in.text(inner);
              case 2 -> kind = in.text(inner);
              default -> in.skip(inner);
            }
          }
          in.endAt(end);
        }
        case 2 -> {
          to = in.length(tag);
          from = in.at();
          in.skipTo(to);
        }
        default -> in.skip(tag);
      }
    }
    return new ProtobufEnvelope(apiVersion, kind, bytes, from, to);
  }
}
