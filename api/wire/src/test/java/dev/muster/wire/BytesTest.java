package dev.muster.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BytesTest {
  @ParameterizedTest
  @ValueSource(longs = {0, 7, 10, 99, 100, 12_345_678_901L, Long.MAX_VALUE, -1, Long.MIN_VALUE})
  void aNumberIsWrittenInDecimalDigits(long number) {
    var bytes = new Bytes(1);
    bytes.add('<');
    bytes.addDecimal(number);
    bytes.add('>');
    assertThat(new String(bytes.toArray(), StandardCharsets.US_ASCII))
        .isEqualTo("<" + number + ">");
  }
}
