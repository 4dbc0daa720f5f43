package dev.muster.pki;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Instant;
import java.util.Date;
import org.bouncycastle.asn1.x509.Time;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CertificateTimeTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "1999-12-31T23:59:59Z",
        "2026-01-02T03:04:05.678Z",
        "2049-12-31T23:59:59Z",
        "2050-01-01T00:00:00Z"
      })
  void isWhatTheLibraryMakesOfADate(String text) throws IOException {
    var instant = Instant.parse(text);
    assertThat(CertificateTime.of(instant).getEncoded())
        .isEqualTo(new Time(Date.from(instant)).getEncoded());
  }
}
