package dev.muster.server.request;

import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;

/** Generates audit IDs: unique, cheap, and not secret. */
public final class AuditIds {
  private static final int LONGEST = 64;

  public String next() {
    var random = ThreadLocalRandom.current();
    long high = (random.nextLong() & ~0xF000L) | 0x4000L;
    long low = (random.nextLong() & 0x3FFF_FFFF_FFFF_FFFFL) | 0x8000_0000_0000_0000L;
    return new UUID(high, low).toString();
  }

  /**
   * The ID that the client sent, cut to its longest length. An ID with characters that could break
   * a header or a log line is replaced.
   */
  public static String cut(String given) {
    var kept = given.length() > LONGEST ? given.substring(0, LONGEST) : given;
    for (int i = 0; i < kept.length(); i++) {
      if (kept.charAt(i) < '!' || kept.charAt(i) > '~') {
        return new AuditIds().next();
      }
    }
    return kept;
  }
}
