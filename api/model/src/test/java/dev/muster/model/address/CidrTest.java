package dev.muster.model.address;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CidrTest {
  @ParameterizedTest
  @CsvSource({
    "10.0.0.0/24,10.0.0.0/24",
    "10.1.2.3/16,10.1.0.0/16",
    "fd00:0:0::1/108,fd00::/108",
    "::/0,::/0",
    "2001:db8:0:0:1:0:0:1/128,2001:db8::1:0:0:1/128",
    "2001:db8:0:1:1:1:1:1/128,2001:db8:0:1:1:1:1:1/128",
  })
  void readsRangesAndWritesThemCanonically(String text, String canonical) {
    assertThat(Cidr.parse(text)).hasToString(canonical);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "10.0.0.0",
        "10.0.0.0/33",
        "10.0.0/8",
        "::/129",
        "a/8",
        "/8",
        "1.1.1.1/x",
        "::ffff:10.0.0.0/104"
      })
  void refusesWhatIsNotARangeByName(String text) {
    assertThatThrownBy(() -> Cidr.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("invalid CIDR address: " + text);
  }

  @Test
  void containsAddressesOfItsFamilyOnly() {
    var range = Cidr.parse("10.0.0.0/24");
    assertThat(range.contains(Ip.parse("10.0.0.255"))).isTrue();
    assertThat(range.contains(Ip.parse("10.0.1.0"))).isFalse();
    assertThat(range.contains(Ip.parse("::1"))).isFalse();
  }

  @Test
  void countsFromItsFirstAddress() {
    assertThat(Cidr.parse("10.0.0.0/23").at(BigInteger.valueOf(257)))
        .isEqualTo(Ip.parse("10.0.1.1"));
    assertThat(Cidr.parse("fd00::/64").at(BigInteger.ONE)).isEqualTo(Ip.parse("fd00::1"));
    assertThatThrownBy(() -> Cidr.parse("10.0.0.0/30").at(BigInteger.valueOf(4)))
        .isInstanceOf(IndexOutOfBoundsException.class);
  }
}
