package dev.muster.registry.services;

import dev.muster.model.address.Cidr;
import dev.muster.model.address.Ip;
import dev.muster.replica.snapshot.Collection;
import java.math.BigInteger;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The cluster IPs of one family. Random addresses come from the upper part of a range while it has
 * free ones, so that the lower part stays free for addresses that clients request.
 *
 * @param ranges the ranges of the family
 * @param taken the IPAddress objects, by address
 * @param kept addresses that are never allocated from this pool
 */
record IpPool(List<Cidr> ranges, Collection taken, Set<String> kept) {
  private static final int RANDOM_TRIES = 64;

  boolean isTaken(String address) {
    return taken.get("", address) != null;
  }

  private boolean isFree(String address) {
    return !isTaken(address) && !kept.contains(address);
  }

  /** The address of a range that the {@code kubernetes} Service has. */
  static String first(Cidr range) {
    return range.at(BigInteger.ONE).toString();
  }

  @Nullable Cidr rangeOf(String address) {
    var parsed = Ip.parseLegacy(address);
    if (parsed == null) {
      return null;
    }
    for (var range : ranges) {
      if (range.contains(parsed)) {
        return range;
      }
    }
    return null;
  }

  /**
   * Whether the address can be allocated: it is neither the network address nor the broadcast
   * address.
   */
  static boolean isUsable(Cidr range, String address) {
    var last = range.at(range.size().subtract(BigInteger.ONE));
    boolean broadcast = !range.isSix() && last.toString().equals(address);
    return !range.first().toString().equals(address) && !broadcast;
  }

  /** A random free address, or null when there is none. */
  @Nullable String next(RandomGenerator random) {
    for (var range : ranges) {
      var found = next(range, random);
      if (found != null) {
        return found;
      }
    }
    return null;
  }

  private @Nullable String next(Cidr range, RandomGenerator random) {
    var size = range.size().min(BigInteger.ONE.shiftLeft(62)).longValueExact();
    long end = range.isSix() ? size : size - 1;
    long reserved = reserved(size);
    var upper = within(range, Math.max(1, reserved), end, random);
    return upper != null ? upper : within(range, 1, Math.max(1, reserved), random);
  }

  /** The size of the lower part, which is reserved for requested addresses. */
  private static long reserved(long size) {
    return size <= 16 ? 0 : Math.clamp(size / 16, 16, 256);
  }

  private @Nullable String within(Cidr range, long from, long to, RandomGenerator random) {
    if (from >= to) {
      return null;
    }
    for (int i = 0; i < RANDOM_TRIES; i++) {
      var candidate = range.at(BigInteger.valueOf(random.nextLong(from, to))).toString();
      if (isFree(candidate)) {
        return candidate;
      }
    }
    long start = random.nextLong(from, to);
    long most = Math.min(to - from, 1L << 20);
    for (long i = 0; i < most; i++) {
      long offset = from + (start - from + i) % (to - from);
      var candidate = range.at(BigInteger.valueOf(offset)).toString();
      if (isFree(candidate)) {
        return candidate;
      }
    }
    return null;
  }
}
