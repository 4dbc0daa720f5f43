package dev.muster.http.compression;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CompressionTest {
  @Test
  void onlyWhoNamesGzipWithoutRefusingItGetsIt() {
    assertThat(Compression.acceptsGzip("br;q=1.0, gzip;q=0.5")).isTrue();
    assertThat(Compression.acceptsGzip("*")).isTrue();
    assertThat(Compression.acceptsGzip("gzip;q=0")).isFalse();
    assertThat(Compression.acceptsGzip("identity")).isFalse();
  }
}
