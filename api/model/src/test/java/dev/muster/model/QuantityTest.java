package dev.muster.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.model.Quantity.Format;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class QuantityTest {

  @ParameterizedTest
  @CsvSource({
    "0,0",
    "0m,0",
    "00,0",
    "-0,0",
    "1,1",
    "+3,+3",
    "1e3,1e3",
    "1E3,1E3",
    "1000,1k",
    "1500,1500",
    "1500m,1500m",
    "1000m,1",
    "100m,100m",
    "0.1,100m",
    "0.5,500m",
    "1.5,1500m",
    "2.50,2500m",
    ".5,500m",
    "1.,1.",
    "1024Ki,1Mi",
    "1Ki,1Ki",
    "1024,1024",
    "1000Ki,1000Ki",
    "2048Mi,2Gi",
    "8Ki,8Ki",
    "0.5Gi,512Mi",
    "1.5Gi,1536Mi",
    "0.1Ki,102400m",
    "0.25Ki,256",
    "1n,1n",
    "0.1n,1n",
    "1.1n,2n",
    "-0.1n,-1n",
    "1u,1u",
    "123456789123456789123,123456789123456789123",
    "9999Ei,9223372036854775807",
    "1Ei,1Ei",
    "1e-3,1e-3",
    "1e-1,100e-3",
    "12e4,120e3",
    "5M,5M",
    "5000k,5M",
    "1P,1P",
    "1E,1E",
    "1000E,1e21",
    "001,001",
    "0x,!",
    "1e-100,1e-9",
    "3.0,3",
    "100000000000000000000m,100P"
  })
  void printsWhatKubernetesPrints(String text, String printed) {
    if (printed.equals("!")) {
      assertThatThrownBy(() -> Quantity.parse(text)).isInstanceOf(MalformedValueException.class);
    } else {
      assertThat(Quantity.parse(text)).hasToString(printed);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "x", "1x", "1.2.3", "1 Gi", " 1", "1KI", "1ki5x"})
  void refusesOtherForms(String text) {
    assertThatThrownBy(() -> Quantity.parse(text))
        .hasMessage(
            "quantities must match the regular expression"
                + " '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'");
  }

  @ParameterizedTest
  @ValueSource(strings = {"1ki", "--1", "1kk", "1mM", "1e", "1i"})
  void refusesUnknownSuffixes(String text) {
    assertThatThrownBy(() -> Quantity.parse(text)).hasMessage("unable to parse quantity's suffix");
  }

  @Test
  void roundsValuesUp() {
    assertThat(Quantity.parse("1500m").value()).isEqualTo(2);
    assertThat(Quantity.parse("1500m").milliValue()).isEqualTo(1500);
    assertThat(Quantity.parse("100u").milliValue()).isEqualTo(1);
    assertThat(Quantity.parse("-1500m").value()).isEqualTo(-2);
    assertThat(Quantity.parse("1.5Gi").value()).isEqualTo(3L << 29);
    assertThat(Quantity.parse("100u").roundedUp(-3)).hasToString("1m");
    assertThat(Quantity.parse("2").roundedUp(-3)).hasToString("2");
  }

  @Test
  void readsNumbersOfAReasonableLength() {
    assertThat(Quantity.parse("1".repeat(1000)).toString()).hasSize(1000);
    assertThatThrownBy(() -> Quantity.parse("1".repeat(1001)))
        .hasMessage("unable to parse numeric part of quantity");
    assertThat(Quantity.parse("1e-999999999")).hasToString("1e-9");
    assertThat(Quantity.parse("-0." + "0".repeat(900) + "1")).hasToString("-1n");
  }

  @Test
  void comparesAmountsWhateverTheirFormat() {
    assertThat(Quantity.parse("1Gi")).isEqualTo(Quantity.parse("1024Mi"));
    assertThat(Quantity.parse("1")).isEqualTo(Quantity.parse("1000m"));
    assertThat(Quantity.parse("1")).hasSameHashCodeAs(Quantity.parse("1000m"));
    assertThat(Quantity.parse("1G")).isLessThan(Quantity.parse("1Gi"));
    assertThat(Quantity.parse("1e1000000000")).isGreaterThan(Quantity.parse("1Ei"));
    assertThat(Quantity.parse("-1")).isLessThan(Quantity.ZERO);
  }

  @Test
  void addsAndSubtractsInTheFirstFormat() {
    assertThat(Quantity.parse("1Gi").plus(Quantity.parse("1Mi"))).hasToString("1025Mi");
    assertThat(Quantity.parse("100m").plus(Quantity.parse("1"))).hasToString("1100m");
    assertThat(Quantity.parse("1").minus(Quantity.parse("100m"))).hasToString("900m");
    assertThat(Quantity.ZERO.plus(Quantity.parse("2Ki"))).hasToString("2Ki");
    assertThat(Quantity.of(1024, Format.BINARY_SI).minus(Quantity.of(1))).hasToString("1023");
    assertThat(Quantity.of(Long.MAX_VALUE).plus(Quantity.of(1))).hasToString("9223372036854775808");
    assertThat(Quantity.parse("1e900000000").plus(Quantity.parse("1"))).hasToString("1e900000000");
  }
}
