package dev.muster.model;

import java.util.random.RandomGenerator;

/** Generates names for {@code generateName}. */
public final class GeneratedName {
  /** No vowels and no characters that look like vowels, so that no words appear. */
  private static final String ALPHABET = "bcdfghjklmnpqrstvwxz2456789";

  private static final int SUFFIX = 5;
  private static final int MOST_BASE = 63 - SUFFIX;

  private GeneratedName() {}

  /** The base, cut to 58 bytes, and five random characters. */
  public static String of(String base, RandomGenerator random) {
    var kept = base.length() > MOST_BASE ? base.substring(0, MOST_BASE) : base;
    return kept + suffix(SUFFIX, random);
  }

  /** Random characters that are easy to tell apart. */
  public static String suffix(int length, RandomGenerator random) {
    var out = new StringBuilder(length);
    for (int i = 0; i < length; i++) {
      out.append(ALPHABET.charAt(random.nextInt(ALPHABET.length())));
    }
    return out.toString();
  }
}
