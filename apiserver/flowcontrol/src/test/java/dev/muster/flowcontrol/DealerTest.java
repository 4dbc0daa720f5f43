package dev.muster.flowcontrol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class DealerTest {
  @Test
  void flowsGetTheHandsThatTheyHaveInKubeApiserver() {
    assertThat(FlowHash.of("global-default", "alice"))
        .isEqualTo(Long.parseUnsignedLong("17644606172554983095"));
    assertThat(new Dealer(128, 6).deal(FlowHash.of("global-default", "alice")))
        .containsExactly(55, 62, 126, 125, 105, 1);
    var account = "system:serviceaccount:kube-system:default";
    assertThat(new Dealer(64, 6).deal(FlowHash.of("service-accounts", account)))
        .containsExactly(41, 37, 16, 0, 23, 9);
    assertThat(new Dealer(9, 9).deal(FlowHash.of("catch-all", "")))
        .containsExactly(3, 2, 1, 0, 7, 6, 5, 4, 8);
    assertThat(new Dealer(5, 3).deal(0)).containsExactly(0, 1, 2);
    assertThat(new Dealer(128, 8).deal(-1)).containsExactly(127, 1, 7, 56, 91, 6, 41, 0);
  }

  @Test
  void noHandHasAQueueTwiceAndAllQueuesAreDealtAlike() {
    var random = new Random(7);
    var dealer = new Dealer(64, 6);
    var dealt = new int[64];
    int hands = 64_000;
    for (int i = 0; i < hands; i++) {
      var hand = dealer.deal(random.nextLong());
      assertThat(Arrays.stream(hand).distinct().count()).isEqualTo(6);
      for (int queue : hand) {
        dealt[queue]++;
      }
    }
    for (int count : dealt) {
      assertThat(count).isBetween(5_700, 6_300);
    }
  }

  @Test
  void aHandForWhichAHashHasTooFewBitsIsRefused() {
    assertThat(Dealer.isPossible(128, 8)).isTrue();
    assertThat(Dealer.isPossible(256, 8)).isFalse();
    assertThat(Dealer.isPossible(4, 5)).isFalse();
    assertThat(Dealer.isPossible(0, 0)).isFalse();
    assertThatThrownBy(() -> new Dealer(256, 8)).isInstanceOf(IllegalArgumentException.class);
  }
}
