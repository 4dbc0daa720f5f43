package dev.muster.pki;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.testing.CpuTime;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class PemBlockTest {
  private static List<PemBlock> blocks(String text) {
    return PemBlock.all(text.getBytes(StandardCharsets.UTF_8));
  }

  private static String block(String type, String content) {
    return "-----BEGIN " + type + "-----\n" + content + "\n-----END " + type + "-----\n";
  }

  @Test
  void blocksStandBetweenOtherText() {
    var found = blocks("words\n" + block("A B", "AQID\nBA==") + "more\n" + block("C", ""));
    assertThat(found).extracting(PemBlock::type).containsExactly("A B", "C");
    assertThat(found.getFirst().bytes()).containsExactly(1, 2, 3, 4);
    assertThat(found.getLast().bytes()).isEmpty();
    assertThat(blocks("-----BEGIN C-----\n-----END C-----")).hasSize(1);
  }

  @Test
  void aBlockIsReadAsItWasWritten() {
    for (int length : new int[] {0, 1, 48, 49, 1_000}) {
      var written = new PemBlock("A B", false, new byte[length]);
      assertThat(blocks(written.text()))
          .usingRecursiveFieldByFieldElementComparator()
          .containsExactly(written);
    }
  }

  @Test
  void headersAreSeen() {
    var found = blocks(block("K", "Proc-Type: 4,ENCRYPTED\nDEK-Info: x\n\nAQID"));
    assertThat(found.getFirst().hasHeaders()).isTrue();
    assertThat(found.getFirst().bytes()).containsExactly(1, 2, 3);
    assertThat(blocks(block("K", "AQID")).getFirst().hasHeaders()).isFalse();
  }

  @Test
  void whatIsNotABlockIsSkipped() {
    assertThat(blocks("x-----BEGIN A-----\nAQID\n-----END A-----\n")).isEmpty();
    assertThat(blocks("-----BEGIN A-----\nAQID\n-----END B-----\n")).isEmpty();
    assertThat(blocks(block("A", "not base64!") + block("B", "AQID")))
        .extracting(PemBlock::type)
        .containsExactly("B");
    assertThat(blocks("-----BEGIN A-----\n" + block("B", "AQID")))
        .extracting(PemBlock::type)
        .containsExactly("B");
    assertThat(blocks("-----BEGIN A-----\nAQID")).isEmpty();
  }

  @Test
  void timeGrowsWithTheLengthOfHostileText() {
    for (var line : List.of("-----BEGIN A-----\n", "\n-----END A", "-----BEGIN A\n-----END B")) {
      var text = line.repeat(400_000 / line.length());
      CpuTime.assertAtMost(24, () -> hasNoBlocks(text), () -> hasNoBlocks(text.repeat(8)));
    }
  }

  private static void hasNoBlocks(String text) {
    assertThat(blocks(text)).isEmpty();
  }
}
