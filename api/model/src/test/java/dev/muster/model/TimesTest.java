package dev.muster.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.model.gocompat.GoDuration;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TimesTest {

  @Test
  void readsTimesAndWritesThemInUtc() {
    assertThat(Timestamps.format(Timestamps.parse("2026-02-03T04:05:06+02:30")))
        .isEqualTo("2026-02-03T01:35:06Z");
    assertThat(Timestamps.format(Timestamps.parse("2026-02-03T04:05:06.987Z")))
        .isEqualTo("2026-02-03T04:05:06Z");
    assertThat(Timestamps.formatMicro(Timestamps.parseMicro("2026-02-03T04:05:06.000120Z")))
        .isEqualTo("2026-02-03T04:05:06.000120Z");
    assertThat(Timestamps.format(Instant.EPOCH)).isEqualTo("1970-01-01T00:00:00Z");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          later                | parsing time "later" as "2006-01-02T15:04:05Z07:00": cannot parse "later" as "2006"
          später               | parsing time "sp\\xc3\\xa4ter" as "2006-01-02T15:04:05Z07:00": cannot parse "sp\\xc3\\xa4ter" as "2006"
          2026-02-03           | parsing time "2026-02-03" as "2006-01-02T15:04:05Z07:00": cannot parse "" as "T"
          2026-13-03T00:00:00Z | parsing time "2026-13-03T00:00:00Z": month out of range
          2026-02-30T00:00:00Z | parsing time "2026-02-30T00:00:00Z": day out of range
          2026-02-03T24:00:00Z | parsing time "2026-02-03T24:00:00Z": hour out of range
          2026-02-03T00:00:00  | parsing time "2026-02-03T00:00:00" as "2006-01-02T15:04:05Z07:00": cannot parse "" as "Z07:00"
          2026-02-03T00:00:00Zx| parsing time "2026-02-03T00:00:00Zx": extra text: "x"
          """)
  void refusesTimesInTheWordsOfGo(String text, String message) {
    assertThatThrownBy(() -> Timestamps.parse(text)).hasMessage(message);
  }

  @Test
  void microTimesNeedSixDigits() {
    assertThatThrownBy(() -> Timestamps.parseMicro("2026-02-03T04:05:06Z"))
        .hasMessage(
            "parsing time \"2026-02-03T04:05:06Z\" as \"2006-01-02T15:04:05.000000Z07:00\":"
                + " cannot parse \"Z\" as \".000000\"");
  }

  @ParameterizedTest
  @CsvSource({
    "90s,1m30s",
    "1h,1h0m0s",
    "0,0s",
    "1.5s,1.5s",
    "1h15m30.918s,1h15m30.918s",
    "100ms,100ms",
    "1us,1µs",
    "2ns,2ns",
    "-1m,-1m0s",
    "1500us,1.5ms",
    "36h,36h0m0s"
  })
  void printsDurationsLikeGo(String text, String printed) {
    assertThat(GoDuration.format(GoDuration.parse(text))).isEqualTo(printed);
  }

  @Test
  void refusesDurationsInTheWordsOfGo() {
    assertThatThrownBy(() -> GoDuration.parse("5"))
        .hasMessage("time: missing unit in duration \"5\"");
    assertThatThrownBy(() -> GoDuration.parse("5d"))
        .hasMessage("time: unknown unit \"d\" in duration \"5d\"");
    assertThatThrownBy(() -> GoDuration.parse("")).hasMessage("time: invalid duration \"\"");
    assertThatThrownBy(() -> GoDuration.parse("9999999h"))
        .hasMessage("time: invalid duration \"9999999h\"");
  }

  @ParameterizedTest
  @CsvSource({
    "-5,<invalid>",
    "-1,0s",
    "0,0s",
    "119,119s",
    "120,2m",
    "125,2m5s",
    "599,9m59s",
    "600,10m",
    "10799,179m",
    "10800,3h",
    "10860,3h1m",
    "28800,8h",
    "172799,47h",
    "172800,2d",
    "176400,2d1h",
    "691200,8d",
    "63072000,2y",
    "63158400,2y1d",
    "252288000,8y",
    "63000000000,292y"
  })
  void printsAgesLikeKubectl(long seconds, String age) {
    assertThat(HumanDuration.format(Duration.ofSeconds(seconds))).isEqualTo(age);
  }
}
