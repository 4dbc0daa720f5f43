package dev.muster.replica.tree;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class KeyOrderTest {
  private static final List<String> PIECES =
      List.of("a", "b", "-", ".", "0", ":", "A", "é", "\uffee", "\ue000", "😀", "\ud7ff", "zz");

  @Test
  void namespaceThatStartsWithAnotherComesWhereItsKeyDoes() {
    assertThat(KeyOrder.compare("a-b", "x", "a", "x")).isNegative();
    assertThat(KeyOrder.compare("a", "x", "a-b", "x")).isPositive();
    assertThat(KeyOrder.compare("a", "x", "a0", "x")).isNegative();
    assertThat(KeyOrder.compare("a", "x", "a", "x")).isZero();
  }

  @Test
  void orderIsThatOfTheBytesOfTheKey() {
    var random = new Random(7);
    for (int i = 0; i < 200_000; i++) {
      var a = List.of(word(random), word(random));
      var b = List.of(word(random), word(random));
      int actual = KeyOrder.compare(a.get(0), a.get(1), b.get(0), b.get(1));
      assertThat(Integer.signum(actual))
          .as("%s and %s", a, b)
          .isEqualTo(Integer.signum(Arrays.compareUnsigned(key(a), key(b))));
    }
  }

  @Test
  void endOfANamespaceComesAfterAllItsNames() {
    var last = Probe.last("", "a");
    assertThat(KeyOrder.compare(last.namespace(), last.name(), "a", "\uffff\uffff")).isPositive();
    assertThat(KeyOrder.compare(last.namespace(), last.name(), "a0", "a")).isNegative();
  }

  private static byte[] key(List<String> parts) {
    return (parts.get(0) + "/" + parts.get(1)).getBytes(StandardCharsets.UTF_8);
  }

  private static String word(Random random) {
    var word = new StringBuilder();
    for (int i = random.nextInt(1, 4); i > 0; i--) {
      word.append(PIECES.get(random.nextInt(PIECES.size())));
    }
    return word.toString();
  }
}
