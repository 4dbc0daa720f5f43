package dev.muster.registry.connect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.registry.connect.Destination.Backend;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DestinationTest {
  private static final Destination POD =
      new Destination(Backend.WORKLOAD, false, "10.1.2.3", 8080, "", "");

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "/a/b | /a/b",
        "/a%2Fb%20c%25 | /a%2Fb%20c%25",
        "/a b\"<>^{}\\ | /a%20b%22%3C%3E%5E%7B%7D%5C",
        "/100% | /100%25",
        "/%zz%4 | /%25zz%254",
        "/a?b#c | /a%3Fb%23c",
        "@127.0.0.1:9999/x | /@127.0.0.1:9999/x",
        "//evil.example/x | //evil.example/x",
        "/é | /%E9",
      })
  void whatIsEncodedStaysAndWhatMayNotStandThereIsEncoded(String sent, String path) {
    assertThat(POD.withPath(sent, "").path()).isEqualTo(path);
    assertThat(POD.withPath(sent, "").authority()).isEqualTo("10.1.2.3:8080");
  }

  @Test
  void noLineEndsInARequest() {
    var target = POD.withPath("/a\r\nHost: x\0", "b=\r\n\r\nGET / HTTP/1.1").requestTarget();
    assertThat(target)
        .isEqualTo("/a%0D%0AHost:%20x%00?b=%0D%0A%0D%0AGET%20/%20HTTP/1.1")
        .doesNotContain("\r", "\n", " ");
  }

  @Test
  void aQueryIsPassedOnAsItWasSent() {
    assertThat(POD.withPath("/", "a=1&b=%2F+c&d=[x]|{y}#z").requestTarget())
        .isEqualTo("/?a=1&b=%2F+c&d=[x]|{y}%23z");
  }

  @Test
  void anEmptyPathIsTheRoot() {
    assertThat(POD.requestTarget()).isEqualTo("/");
    assertThat(POD).hasToString("http://10.1.2.3:8080");
  }

  @Test
  void aSchemeHasAPortOfItsOwn() {
    var pod = new Destination(Backend.WORKLOAD, true, "fd00::1", 0, "/x", "");
    assertThat(pod.authority()).isEqualTo("[fd00::1]:443");
    assertThat(pod).hasToString("https://[fd00::1]/x");
  }
}
