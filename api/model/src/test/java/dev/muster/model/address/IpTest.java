package dev.muster.model.address;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.model.validation.FieldError;
import dev.muster.model.validation.FieldPath;
import dev.muster.model.validation.IpRules;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class IpTest {

  @ParameterizedTest
  @CsvSource({
    "1.2.3.4,1.2.3.4",
    "010.2.3.4,10.2.3.4",
    "::,::",
    "::1,::1",
    "2001:DB8:0:0:1:0:0:1,2001:db8::1:0:0:1",
    "2001:db8:0:1:1:1:1:1,2001:db8:0:1:1:1:1:1",
    "1:2:3:4:5:6:7::,1:2:3:4:5:6:7:0",
    "fe80:0:0::,fe80::",
    "::ffff:1.2.3.4,1.2.3.4",
    "64:ff9b::1.2.3.4,64:ff9b::102:304",
    "1:0:0:2:0:0:0:3,1:0:0:2::3"
  })
  void printsCanonically(String text, String canonical) {
    assertThat(String.valueOf(Ip.parseLegacy(text))).isEqualTo(canonical);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "1.2.3",
        "1.2.3.256",
        "1.2.3.4.5",
        "1.2.3.4 ",
        ":",
        ":::",
        "1::2::3",
        "12345::",
        "1:2:3:4:5:6:7",
        "1:2:3:4:5:6:7:8:9",
        "1:2:3:4:5:6:7:8::",
        "fe80::1%eth0",
        "1:",
        "a",
        "::1.2.3"
      })
  void refusesWhatIsNoAddress(String text) {
    assertThat(Ip.parseLegacy(text)).isNull();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"01.2.3.4", "1.2.3", "::ffff:1.2.3.04", "00001::", "fe80::1%eth0", "[::1]"})
  void theStrictReadingRefusesWhatTheOlderOneForgives(String text) {
    assertThatThrownBy(() -> Ip.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("invalid IP address: " + text);
  }

  @ParameterizedTest
  @CsvSource({"1.2.3.4,1.2.3.4", "2001:DB8:0::1,[2001:db8::1]", "::ffff:1.2.3.4,1.2.3.4"})
  void addressesOfSocketsAreTheSameAddresses(String text, String host) {
    var ip = Ip.parse(text);
    assertThat(ip.host()).isEqualTo(host);
    assertThat(Ip.of(ip.toInetAddress())).isEqualTo(ip);
  }

  @Test
  void globalUnicastIsWhatGoCallsSo() {
    for (var text : List.of("10.0.0.1", "8.8.8.8", "fd00::1", "2001:db8::1")) {
      assertThat(Ip.parse(text).isGlobalUnicast()).as(text).isTrue();
    }
    for (var text :
        List.of(
            "0.0.0.0",
            "127.0.0.1",
            "169.254.1.1",
            "224.0.0.1",
            "255.255.255.255",
            "::",
            "::1",
            "fe80::1",
            "ff02::1")) {
      assertThat(Ip.parse(text).isGlobalUnicast()).as(text).isFalse();
    }
  }

  private static List<String> errors(Consumer<List<FieldError>> rule) {
    var errors = new ArrayList<FieldError>();
    rule.accept(errors);
    return errors.stream().map(FieldError::body).toList();
  }

  @Test
  void strictRulesNameWhatIsOdd() {
    var path = FieldPath.of("ip");
    assertThat(errors(e -> IpRules.ip(path, "10.0.0.1", e))).isEmpty();
    assertThat(errors(e -> IpRules.ip(path, "010.0.0.1", e)))
        .containsExactly("Invalid value: \"010.0.0.1\": must not have leading 0s");
    assertThat(errors(e -> IpRules.ip(path, "::ffff:10.0.0.1", e)))
        .containsExactly(
            "Invalid value: \"::ffff:10.0.0.1\": must not be an IPv4-mapped IPv6 address");
    assertThat(errors(e -> IpRules.ip(path, "A::", e)))
        .containsExactly("Invalid value: \"A::\": must be in canonical form (\"a::\")");
    assertThat(errors(e -> IpRules.strictLegacyIp(path, "A::", List.of(), e))).isEmpty();
    assertThat(errors(e -> IpRules.strictLegacyIp(path, "01.2.3.4", List.of("01.2.3.4"), e)))
        .isEmpty();
    assertThat(errors(e -> IpRules.cidr(path, "10.0.0.1/8", e)))
        .containsExactly(
            "Invalid value: \"10.0.0.1/8\": must not have bits set beyond the prefix length");
    assertThat(errors(e -> IpRules.cidr(path, "10.0.0.0/08", e)))
        .containsExactly(
            "Invalid value: \"10.0.0.0/08\": must not have leading 0s in IP or prefix length");
    assertThat(errors(e -> IpRules.cidr(path, "fd00::/129", e))).hasSize(1);
    assertThat(errors(e -> IpRules.interfaceAddress(path, "10.0.0.1/8", e))).isEmpty();
  }

  @Test
  void warnsAboutFormsThatStillWork() {
    var path = FieldPath.of("ip");
    assertThat(IpRules.ipWarnings(path, "1.2.3.4")).isEmpty();
    assertThat(IpRules.ipWarnings(path, "1.2.3.04"))
        .containsExactly("ip: non-standard IP address \"1.2.3.04\" is invalid: use \"1.2.3.4\"");
    assertThat(IpRules.ipWarnings(path, "fd00:0::1"))
        .containsExactly(
            "ip: IPv6 address \"fd00:0::1\" should be in RFC 5952 canonical format"
                + " (\"fd00::1\")");
    assertThat(IpRules.cidrWarnings(path, "10.1.0.0/8"))
        .containsExactly(
            "ip: CIDR value \"10.1.0.0/8\" is ambiguous in this context (should be"
                + " \"10.0.0.0/8\" or \"10.1.0.0/32\"?)");
  }

  @Test
  void rangesContainTheirAddresses() {
    var range = Objects.requireNonNull(Cidr.parseLegacy("10.1.128.0/17"));
    assertThat(range).hasToString("10.1.128.0/17");
    assertThat(range.contains(ip("10.1.200.3"))).isTrue();
    assertThat(range.contains(ip("10.1.127.3"))).isFalse();
    assertThat(range.contains(ip("fd00::1"))).isFalse();
  }

  private static Ip ip(String text) {
    return Objects.requireNonNull(Ip.parseLegacy(text));
  }
}
