package dev.muster.store.encrypted.transform;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * D. J. Bernstein's XSalsa20 ("Extending the Salsa20 nonce", 2011) as in NaCl's secretbox. The
 * first 32 bytes of the stream are the key of the tag; the cipher XORs the following bytes with the
 * text. Only one thread uses it.
 */
final class XSalsa20 {
  static final int KEY = 32;

  private static final int WORDS = 16;
  private static final int BLOCK = 64;
  private static final int[] SIGMA = {0x61707865, 0x3320646e, 0x79622d32, 0x6b206574};
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

  private final int[] state;

  /**
   * @param key 32 bytes
   * @param nonce holds 24 bytes from the offset on
   */
  XSalsa20(byte[] key, byte[] nonce, int offset) {
    // HSalsa20 derives a key from the first 16 bytes of the nonce; Salsa20 uses the other 8.
    var first = state(key);
    for (int i = 0; i < 4; i++) {
      first[6 + i] = word(nonce, offset + 4 * i);
    }
    var mixed = first.clone();
    doubleRounds(mixed);
    state = new int[WORDS];
    int[] taken = {0, 5, 10, 15, 6, 7, 8, 9};
    for (int i = 0; i < 4; i++) {
      state[1 + i] = mixed[taken[i]];
      state[11 + i] = mixed[taken[4 + i]];
      state[5 * i] = SIGMA[i];
    }
    state[6] = word(nonce, offset + 16);
    state[7] = word(nonce, offset + 20);
  }

  private static int[] state(byte[] key) {
    var state = new int[WORDS];
    for (int i = 0; i < 4; i++) {
      state[5 * i] = SIGMA[i];
      state[1 + i] = word(key, 4 * i);
      state[11 + i] = word(key, 16 + 4 * i);
    }
    return state;
  }

  /** The first 32 bytes of the stream. */
  byte[] oneTimeKey() {
    var block = new byte[BLOCK];
    block(0, block);
    return Arrays.copyOf(block, KEY);
  }

  /** XORs the text with the stream after its first 32 bytes; returns these 32. */
  byte[] apply(byte[] text, int offset) {
    var block = new byte[BLOCK];
    block(0, block);
    var head = Arrays.copyOf(block, KEY);
    int used = KEY;
    long number = 0;
    for (int i = offset; i < text.length; i++) {
      if (used == BLOCK) {
        block(++number, block);
        used = 0;
      }
      text[i] ^= block[used++];
    }
    return head;
  }

  private void block(long number, byte[] block) {
    state[8] = (int) number;
    state[9] = (int) (number >>> 32);
    var mixed = state.clone();
    doubleRounds(mixed);
    for (int i = 0; i < WORDS; i++) {
      INT.set(block, 4 * i, mixed[i] + state[i]);
    }
  }

  private static void doubleRounds(int[] x) {
    for (int round = 0; round < 10; round++) {
      quarter(x, 0, 4, 8, 12);
      quarter(x, 5, 9, 13, 1);
      quarter(x, 10, 14, 2, 6);
      quarter(x, 15, 3, 7, 11);
      quarter(x, 0, 1, 2, 3);
      quarter(x, 5, 6, 7, 4);
      quarter(x, 10, 11, 8, 9);
      quarter(x, 15, 12, 13, 14);
    }
  }

  private static void quarter(int[] x, int a, int b, int c, int d) {
    x[b] ^= Integer.rotateLeft(x[a] + x[d], 7);
    x[c] ^= Integer.rotateLeft(x[b] + x[a], 9);
    x[d] ^= Integer.rotateLeft(x[c] + x[b], 13);
    x[a] ^= Integer.rotateLeft(x[d] + x[c], 18);
  }

  private static int word(byte[] bytes, int offset) {
    return (int) INT.get(bytes, offset);
  }
}
