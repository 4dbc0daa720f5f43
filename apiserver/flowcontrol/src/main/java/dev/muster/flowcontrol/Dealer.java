package dev.muster.flowcontrol;

/**
 * Shuffle sharding: deals each flow a fixed small hand of a level's queues, so that two flows
 * seldom share all of theirs. The hands equal those of kube-apiserver. Immutable.
 */
final class Dealer {
  /**
   * The limit for the bits that dealing uses of the 64-bit hash; the last card is then dealt evenly
   * enough.
   */
  static final int HASH_BITS = 60;

  private final int deck;
  private final int hand;

  /**
   * @param deck the number of queues
   * @param hand the number of queues that a flow gets
   * @throws IllegalArgumentException unless {@link #isPossible}
   */
  Dealer(int deck, int hand) {
    if (!isPossible(deck, hand)) {
      throw new IllegalArgumentException("a hand of " + hand + " out of " + deck + " queues");
    }
    this.deck = deck;
    this.hand = hand;
  }

  /** Whether there are enough queues, and enough bits in a hash. */
  static boolean isPossible(int deck, int hand) {
    return deck >= 1
        && hand >= 1
        && hand <= deck
        && Math.ceil(Math.log(deck) / Math.log(2) * hand) <= HASH_BITS;
  }

  /** The distinct indexes of a flow's queues. */
  int[] deal(long hash) {
    var cards = new int[hand];
    long rest = hash;
    for (int i = 0; i < hand; i++) {
      long quotient = Long.divideUnsigned(rest, deck - i);
      cards[i] = (int) (rest - quotient * (deck - i));
      rest = quotient;
    }
    // The i-th card is an index among the remaining cards. From the last draw to the first, every
    // earlier card at or before it shifts it by one.
    for (int i = hand - 1; i > 0; i--) {
      for (int j = i - 1; j >= 0; j--) {
        if (cards[i] >= cards[j]) {
          cards[i]++;
        }
      }
    }
    return cards;
  }
}
