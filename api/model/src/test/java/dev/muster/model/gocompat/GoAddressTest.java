package dev.muster.model.gocompat;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class GoAddressTest {
  @ParameterizedTest
  @ValueSource(
      strings = {"1.2.3.4", "::", "::1", "1::", "fe80::1%eth0", "1:2:3:4:5:6:7:8", "::1.2.3.4"})
  void takesAddresses(String text) {
    assertThat(GoAddress.problem(text)).isNull();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          x                | unable to parse IP
          1.2.3            | IPv4 address too short
          1.2.3.4.5        | IPv4 address too long
          1.2.3.256        | IPv4 field has value >255
          1.2.3.04         | IPv4 field has octet with leading zero
          1..3.4           | IPv4 field must have at least one digit (at ".3.4")
          1.2.3.x          | unexpected character (at "x")
          %eth0            | missing IPv6 address
          fe80::1%         | zone must be a non-empty string
          12345::          | each group must have 4 or less digits (at "12345::")
          ::g              | each colon-separated field must have at least one digit (at "g")
          1:2:3            | address string too short
          1:2:             | colon must be followed by more characters (at ":")
          1::2::3          | multiple :: in address (at ":3")
          1:2:3:4:5:6:7:8:9 | trailing garbage after address (at "9")
          1:2:3:4:5:6:7::8 | the :: must expand to at least one field of zeros
          1:2.3.4.5        | embedded IPv4 address must replace the final 2 fields of the address (at "2.3.4.5")
          1:2x             | unexpected character, want colon (at "x")
          """)
  void saysWhatIsWrongWithAnAddress(String text, String problem) {
    assertThat(GoAddress.problem(text)).isEqualTo("ParseAddr(\"" + text + "\"): " + problem);
  }

  @Test
  void saysWhatIsWrongWithARange() {
    assertThat(GoAddress.prefixProblem("10.0.0.0/8")).isNull();
    assertThat(GoAddress.prefixProblem("10.0.0.0"))
        .isEqualTo("netip.ParsePrefix(\"10.0.0.0\"): no '/'");
    assertThat(GoAddress.prefixProblem("10.0.0.0/33"))
        .isEqualTo("netip.ParsePrefix(\"10.0.0.0/33\"): prefix length out of range");
    assertThat(GoAddress.prefixProblem("10.0.0.0/08"))
        .isEqualTo("netip.ParsePrefix(\"10.0.0.0/08\"): bad bits after slash: \"08\"");
    assertThat(GoAddress.prefixProblem("x/8"))
        .isEqualTo("netip.ParsePrefix(\"x/8\"): ParseAddr(\"x\"): unable to parse IP");
  }
}
