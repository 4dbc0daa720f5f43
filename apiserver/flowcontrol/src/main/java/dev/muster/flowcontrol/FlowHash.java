package dev.muster.flowcontrol;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** The hash of a flow, equal to kube-apiserver's. */
final class FlowHash {
  private FlowHash() {}

  static long of(String schema, String distinguisher) {
    try {
      var digest = MessageDigest.getInstance("SHA-256");
      digest.update(schema.getBytes(StandardCharsets.UTF_8));
      digest.update((byte) 0);
      digest.update(distinguisher.getBytes(StandardCharsets.UTF_8));
      return ByteBuffer.wrap(digest.digest()).order(ByteOrder.LITTLE_ENDIAN).getLong();
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JVM has SHA-256", e);
    }
  }
}
