package dev.muster.authentication;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;

/**
 * A cache key for a token: 256 bits of a SHA-256 with a salt per process. Tables therefore hold no
 * tokens, and clients cannot construct colliding ones.
 */
public record TokenHash(long a, long b, long c, long d) {
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  private static final MessageDigest SALTED = salted();

  public static TokenHash of(String token) {
    try {
      var digest = (MessageDigest) SALTED.clone();
      var hash = digest.digest(token.getBytes(StandardCharsets.UTF_8));
      return new TokenHash(
          (long) LONG.get(hash, 0),
          (long) LONG.get(hash, 8),
          (long) LONG.get(hash, 16),
          (long) LONG.get(hash, 24));
    } catch (CloneNotSupportedException e) {
      throw new IllegalStateException("this JVM's SHA-256 cannot be cloned", e);
    }
  }

  /** A digest that has consumed the salt; callers clone it. */
  private static MessageDigest salted() {
    try {
      var digest = MessageDigest.getInstance("SHA-256");
      var salt = new byte[64];
      new SecureRandom().nextBytes(salt);
      digest.update(salt);
      return digest;
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("this JVM has no SHA-256", e);
    }
  }

  @Override
  public int hashCode() {
    return (int) a;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof TokenHash hash
        && hash.a == a
        && hash.b == b
        && hash.c == c
        && hash.d == d;
  }
}
