package dev.muster.flowcontrol;

/**
 * Shuffle sharding: deals to each flow a small hand of a level's queues, always the same one, so
 * that two flows seldom share all of theirs. The hands are those of kube-apiserver. Immutable.
 */
final class Dealer {
  /** A hash has 64 bits; the last card is dealt evenly enough while no more are used. */
  static final int HASH_BITS = 60;

  private final int deck;
  private final int hand;

  /**
   * @param deck how many queues there are
   * @param hand how many of them a flow gets
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

  /** The indexes of a flow's queues, each another one. */
  int[] deal(long hash) {
    var cards = new int[hand];
    long rest = hash;
    for (int i = 0; i < hand; i++) {
      long quotient = Long.divideUnsigned(rest, deck - i);
      cards[i] = (int) (rest - quotient * (deck - i));
      rest = quotient;
    }
    // The card that was drawn i-th is an index among those that were left: from the last draw to
    // the first, whoever sat at or before it shifts it by one.
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
