package dev.muster.server.discovery;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class RelativeOrderTest {
  @Test
  void aListThatHasAllIsTheOrder() {
    assertThat(RelativeOrder.of(List.of(List.of("b"), List.of("c", "b", "a"))))
        .containsExactly("c", "b", "a");
  }

  @Test
  void whatFollowsInAnyListFollowsInTheResult() {
    assertThat(RelativeOrder.of(List.of(List.of("b", "d"), List.of("c", "b"))))
        .containsExactly("c", "b", "d");
  }

  @Test
  void theAlphabetDecidesWhereNoListDoes() {
    assertThat(RelativeOrder.of(List.of(List.of("a", "c"), List.of("b", "c"))))
        .containsExactly("a", "b", "c");
  }

  @Test
  void listsThatContradictOneAnotherLeaveTheAlphabet() {
    assertThat(RelativeOrder.of(List.of(List.of("c", "a", "x"), List.of("a", "c", "b"))))
        .containsExactly("a", "b", "c", "x");
  }
}
