package dev.muster.model;

import java.util.UUID;
import java.util.random.RandomGenerator;

/** Generates the UIDs of objects: random UUIDs (RFC 9562, version 4). */
public final class Uuid {
  private Uuid() {}

  public static String random(RandomGenerator random) {
    long high = (random.nextLong() & ~0xf000L) | 0x4000L;
    long low = (random.nextLong() & 0x3fff_ffff_ffff_ffffL) | 0x8000_0000_0000_0000L;
    return new UUID(high, low).toString();
  }
}
