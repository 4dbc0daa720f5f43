package dev.muster.server.aggregation;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ForwardedPathTest {
  @ParameterizedTest
  @CsvSource({
    "/apis/g/v1/x, /apis/g/v1/x",
    "/apis/g/v1/x/, /apis/g/v1/x/",
    "/a%2Fb, /a/b",
    "/a%20b, /a%20b",
    "/a+b:c@d;e=f, /a+b:c@d;e=f",
    "/%c3%bc, /%C3%BC",
    "/a%3Fb, /a%3Fb",
    "/a%0d%0aHost:x, /a%0D%0AHost:x",
    "/half%2, /half%252",
    "/a(b)!, /a%28b%29%21",
  })
  void isDecodedAndEncodedAnew(String sent, String forwarded) {
    assertThat(ForwardedPath.of(sent)).isEqualTo(forwarded);
  }
}
