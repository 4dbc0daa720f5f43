package dev.muster.store.encrypted.transform;

import java.util.Arrays;
import java.util.Random;

/** Stored values that somebody has damaged. */
public final class Mutations {
  private Mutations() {}

  /** The value with bits turned, bytes cut off or added, or parts exchanged. */
  public static byte[] of(byte[] stored, Random random) {
    var mutated = stored.clone();
    switch (random.nextInt(4)) {
      case 0 -> {
        for (int i = random.nextInt(4); i >= 0 && mutated.length > 0; i--) {
          mutated[random.nextInt(mutated.length)] ^= (byte) (1 << random.nextInt(8));
        }
      }
      case 1 -> mutated = Arrays.copyOf(mutated, random.nextInt(mutated.length + 1));
      case 2 -> mutated = Arrays.copyOf(mutated, mutated.length + 1 + random.nextInt(40));
      default -> {
        int from = random.nextInt(mutated.length + 1);
        int to = from + random.nextInt(mutated.length - from + 1);
        for (int i = from; i < to; i++) {
          mutated[i] = (byte) random.nextInt(256);
        }
      }
    }
    return mutated;
  }
}
