package dev.muster.server.request;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.http.Header;
import java.util.List;
import org.junit.jupiter.api.Test;

class WarningsTest {
  private final Warnings warnings = new Warnings();

  private List<String> sent() {
    return warnings.headers().stream().map(Header::value).toList();
  }

  @Test
  void sendsEachTextOnceInQuotes() {
    warnings.add("a \"b\" \\");
    warnings.add("");
    warnings.add("é");
    warnings.add("a \"b\" \\");
    assertThat(sent()).containsExactly("299 - \"a \\\"b\\\" \\\\\"", "299 - \"é\"");
  }

  @Test
  void dropsTextsWithControlCharacters() {
    warnings.add("a\nb");
    warnings.add("c");
    assertThat(sent()).containsExactly("299 - \"c\"");
  }

  @Test
  void keepsALongTextWhileAllFitIn() {
    warnings.add("x".repeat(4000));
    warnings.add("y".repeat(96));
    assertThat(sent())
        .containsExactly("299 - \"" + "x".repeat(4000) + "\"", "299 - \"" + "y".repeat(96) + "\"");
  }

  @Test
  void cutsAllTextsWhenTheyDoNotFitIn() {
    warnings.add("x".repeat(4000));
    warnings.add("y".repeat(97));
    assertThat(sent())
        .containsExactly("299 - \"" + "x".repeat(256) + "\"", "299 - \"" + "y".repeat(97) + "\"");
  }

  @Test
  void sendsNoMoreThanHeadersMayHold() {
    for (int i = 0; i < 100_000; i++) {
      warnings.add("x".repeat(300) + i);
    }
    assertThat(sent()).hasSize(16);
  }
}
