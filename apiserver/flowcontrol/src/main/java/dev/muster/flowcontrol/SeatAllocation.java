package dev.muster.flowcontrol;

import java.util.Arrays;
import java.util.List;

/**
 * Divides seats among priority levels: each gets the same fraction of its demand, within its
 * bounds.
 *
 * @param seats in the order of the levels
 * @param fraction the common fraction
 */
@SuppressWarnings("ArrayRecordComponent") // computed, read once and compared by nobody
record SeatAllocation(double[] seats, double fraction) {
  /** The demand of a level without any, so that it still has a proportion to the others. */
  private static final double LEAST_WISH = 0.001;

  private static final double NEARLY = 1e-7;

  /** The demand and bounds of one level; {@code least <= wanted}. */
  record Claim(double wanted, double least, double most) {
    Claim {
      if (least < 0 || wanted < least || most < least) {
        throw new IllegalArgumentException(
            "a level that wants %s of at least %s and at most %s".formatted(wanted, least, most));
      }
    }

    double divisor() {
      return Math.max(LEAST_WISH, wanted);
    }

    double at(double fraction) {
      return Math.clamp(fraction * divisor(), least, most);
    }
  }

  /**
   * @throws IllegalArgumentException when the bounds do not allow exactly that total
   */
  static SeatAllocation of(int total, List<Claim> claims) {
    double least = claims.stream().mapToDouble(Claim::least).sum();
    double most = claims.stream().mapToDouble(Claim::most).sum();
    if (least - total > NEARLY || total - most > NEARLY) {
      throw new IllegalArgumentException(
          "%d seats for levels that take %s to %s".formatted(total, least, most));
    }
    if (total == 0) {
      return new SeatAllocation(new double[claims.size()], 0);
    }
    double fraction = fraction(total, claims);
    return new SeatAllocation(
        claims.stream().mapToDouble(claim -> claim.at(fraction)).toArray(), fraction);
  }

  /**
   * The sum of seats is piecewise linear in the fraction, with corners where a level reaches a
   * bound.
   */
  private static double fraction(int total, List<Claim> claims) {
    var turns = new double[claims.size() * 2];
    for (int i = 0; i < claims.size(); i++) {
      var claim = claims.get(i);
      turns[2 * i] = claim.least() / claim.divisor();
      turns[2 * i + 1] = claim.most() / claim.divisor();
    }
    Arrays.sort(turns);
    double before = turns[0];
    double sumBefore = sum(claims, before);
    for (double turn : turns) {
      double sum = sum(claims, turn);
      if (sum >= total) {
        return sum == sumBefore
            ? turn
            : before + (turn - before) * (total - sumBefore) / (sum - sumBefore);
      }
      before = turn;
      sumBefore = sum;
    }
    return before;
  }

  private static double sum(List<Claim> claims, double fraction) {
    double sum = 0;
    for (var claim : claims) {
      sum += claim.at(fraction);
    }
    return sum;
  }
}
