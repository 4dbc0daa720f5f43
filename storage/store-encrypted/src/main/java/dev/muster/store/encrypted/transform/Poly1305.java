package dev.muster.store.encrypted.transform;

import java.security.MessageDigest;
import java.util.Arrays;

/**
 * The Poly1305 authenticator (RFC 8439, 2.5): a polynomial modulo 2^130 - 5, in five limbs of 26
 * bits. Its running time depends only on the length of the text.
 */
final class Poly1305 {
  static final int TAG = 16;

  private static final int BLOCK = 16;
  private static final int LIMBS = 5;
  private static final long MASK = 0x3ffffff;

  private Poly1305() {}

  /** Whether those 16 bytes of the text are the tag of the text from the offset on. */
  static boolean isTag(byte[] key, byte[] text, int offset, int tagOffset) {
    return MessageDigest.isEqual(
        tag(key, text, offset), Arrays.copyOfRange(text, tagOffset, tagOffset + TAG));
  }

  /**
   * The tag of the text from the offset on.
   *
   * @param key 32 bytes, used for this text only
   */
  static byte[] tag(byte[] key, byte[] text, int offset) {
    long[] r = limbs(key, 0, 0);
    r[0] &= 0x3ffffff;
    r[1] &= 0x3ffff03;
    r[2] &= 0x3ffc0ff;
    r[3] &= 0x3f03fff;
    r[4] &= 0x00fffff;
    var h = new long[LIMBS];
    for (int at = offset; at < text.length; at += BLOCK) {
      int length = Math.min(BLOCK, text.length - at);
      if (length == BLOCK) {
        add(h, limbs(text, at, 1));
      } else {
        var last = new byte[BLOCK];
        System.arraycopy(text, at, last, 0, length);
        last[length] = 1;
        add(h, limbs(last, 0, 0));
      }
      multiply(h, r);
    }
    return finished(h, key);
  }

  /** Converts 16 bytes to limbs, with a bit above them. */
  private static long[] limbs(byte[] bytes, int at, int above) {
    return new long[] {
      word(bytes, at) & MASK,
      word(bytes, at + 3) >>> 2 & MASK,
      word(bytes, at + 6) >>> 4 & MASK,
      word(bytes, at + 9) >>> 6 & MASK,
      word(bytes, at + 12) >>> 8 | (long) above << 24
    };
  }

  private static void add(long[] h, long[] limbs) {
    for (int i = 0; i < LIMBS; i++) {
      h[i] += limbs[i];
    }
  }

  private static void multiply(long[] h, long[] r) {
    var product = new long[LIMBS];
    for (int i = 0; i < LIMBS; i++) {
      for (int j = 0; j < LIMBS; j++) {
        long part = h[i] * r[j];
        int place = i + j;
        // 2^130 is 5 in this field.
        product[place % LIMBS] += place < LIMBS ? part : 5 * part;
      }
    }
    long carry = 0;
    for (int i = 0; i < LIMBS; i++) {
      product[i] += carry;
      h[i] = product[i] & MASK;
      carry = product[i] >>> 26;
    }
    h[0] += 5 * carry;
    h[1] += h[0] >>> 26;
    h[0] &= MASK;
  }

  /** The number below 2^130 - 5, plus the second half of the key, modulo 2^128. */
  private static byte[] finished(long[] h, byte[] key) {
    for (int pass = 0; pass < 2; pass++) {
      long carry = 0;
      for (int i = 0; i < LIMBS; i++) {
        h[i] += carry;
        carry = h[i] >>> 26;
        h[i] &= MASK;
      }
      h[0] += 5 * carry;
    }
    var reduced = new long[LIMBS];
    long carry = 5;
    for (int i = 0; i < LIMBS; i++) {
      reduced[i] = h[i] + carry;
      carry = reduced[i] >>> 26;
      reduced[i] &= MASK;
    }
    // A carry out of the top limb means that the number was at least 2^130 - 5.
    long take = -carry;
    for (int i = 0; i < LIMBS; i++) {
      h[i] = (h[i] & ~take) | (reduced[i] & take);
    }
    long low = h[0] | h[1] << 26 | h[2] << 52;
    long high = h[2] >>> 12 | h[3] << 14 | h[4] << 40;
    long sum = low + wide(key, 16);
    high += wide(key, 24) + (Long.compareUnsigned(sum, low) < 0 ? 1 : 0);
    var tag = new byte[TAG];
    for (int i = 0; i < 8; i++) {
      tag[i] = (byte) (sum >>> (8 * i));
      tag[8 + i] = (byte) (high >>> (8 * i));
    }
    return tag;
  }

  private static long wide(byte[] bytes, int at) {
    return word(bytes, at) | word(bytes, at + 4) << 32;
  }

  private static long word(byte[] bytes, int at) {
    return (bytes[at] & 0xffL)
        | (bytes[at + 1] & 0xffL) << 8
        | (bytes[at + 2] & 0xffL) << 16
        | (bytes[at + 3] & 0xffL) << 24;
  }
}
