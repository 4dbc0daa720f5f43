package dev.muster.openapi;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ContentHashTest {
  private static String hash(String... pieces) {
    return ContentHash.of(
        Stream.of(pieces).map(piece -> piece.getBytes(StandardCharsets.UTF_8)).toList());
  }

  @Test
  void theSameContentHasTheSameName() {
    assertThat(hash("one", "two")).isEqualTo(hash("one", "two")).matches("[0-9A-F]{128}");
  }

  @Test
  void otherContentHasAnotherName() {
    assertThat(
            List.of(
                hash(),
                hash(""),
                hash("one", "two"),
                hash("two", "one"),
                hash("onetwo"),
                hash("one", "twO"),
                hash("one", "two", "")))
        .doesNotHaveDuplicates();
  }
}
