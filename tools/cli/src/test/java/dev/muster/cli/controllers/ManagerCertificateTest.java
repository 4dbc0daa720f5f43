package dev.muster.cli.controllers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.pki.Authority;
import dev.muster.pki.CertificateNames;
import dev.muster.pki.Pem;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ManagerCertificateTest {
  @TempDir Path folder;
  private Instant now = Instant.parse("2026-01-01T00:00:00Z");

  private void write(String name) throws Exception {
    var identity =
        Authority.create(name, now, Duration.ofDays(9))
            .server(name, CertificateNames.of(List.of(name), List.of()), now, Duration.ofDays(9));
    Files.writeString(folder.resolve("tls.key"), Pem.of(identity.key()));
    Files.writeString(folder.resolve("tls.crt"), Pem.of(identity.chain()));
    Files.setLastModifiedTime(folder.resolve("tls.crt"), FileTime.from(now));
  }

  @Test
  void makesItsOwnAnewBeforeItEnds() {
    var certificate = new ManagerCertificate(null, null, () -> now);
    var first = certificate.identity().certificate();
    now = now.plus(Duration.ofDays(200));
    assertThat(certificate.identity().certificate()).isEqualTo(first);
    now = now.plus(Duration.ofDays(100));
    assertThat(certificate.identity().certificate().getNotAfter().toInstant())
        .isAfter(now.plus(Duration.ofDays(360)));
  }

  @Test
  void readsFilesAgainAndKeepsTheLastGoodOnes() throws Exception {
    write("first");
    var files =
        new ManagerCertificate(folder.resolve("tls.crt"), folder.resolve("tls.key"), () -> now);
    now = now.plus(Duration.ofMinutes(2));
    write("second");
    assertThat(files.identity().toString()).contains("second");
    now = now.plus(Duration.ofMinutes(2));
    Files.writeString(folder.resolve("tls.crt"), "");
    assertThat(files.identity().toString()).contains("second");
  }
}
