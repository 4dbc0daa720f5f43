package dev.muster.cli.status;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.model.json.JsonObject;
import dev.muster.pki.Authority;
import dev.muster.pki.KubeconfigFile;
import dev.muster.pki.PkiFolder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CertificateReportTest {
  private static final Instant MADE = Instant.parse("2026-01-01T00:00:00Z");

  @TempDir Path folder;

  private CertificateReport report(Instant now) throws Exception {
    var authority = Authority.create("ca", MADE, Duration.ofDays(900));
    var user = authority.client("user", List.of(), MADE, Duration.ofDays(100));
    var kubeconfig =
        Files.writeString(
            folder.resolve("config"),
            KubeconfigFile.of(
                "c", "https://127.0.0.1:1", List.of(authority.certificate()), "u", user));
    return CertificateReport.of(Set.of("https://127.0.0.1:1"), kubeconfig, now);
  }

  @Test
  void tellsHowLongTheKubeconfigsCertificatesLast() throws Exception {
    assertThat(report(MADE.plus(Duration.ofDays(10))).lines())
        .containsExactly(
            "Certificate         certificate authority in %s: 890 days left"
                .formatted(folder.resolve("config")),
            "Certificate         client certificate in %s: 90 days left"
                .formatted(folder.resolve("config")));
  }

  @Test
  void warnsBeforeAndAfterTheEnd() throws Exception {
    assertThat(report(MADE.plus(Duration.ofDays(99))).lines().getLast())
        .endsWith(": ENDS SOON, 1 day left");
    assertThat(report(MADE.plus(Duration.ofDays(103))).lines().getLast())
        .endsWith(": EXPIRED 3 days ago");
  }

  @Test
  void listsWhatAControlPlaneKeepsBesideItsKubeconfig() throws Exception {
    var pki = PkiFolder.open(folder.resolve("pki"), () -> MADE);
    pki.component("controller-manager", "manager", List.of());
    PkiFolder.open(folder.resolve("pki/front-proxy"), () -> MADE).component("f", "f", List.of());
    var report = report(MADE);
    assertThat(report.entries())
        .extracting(CertificateReport.Entry::name)
        .contains(
            folder.resolve("pki/ca.crt").toString(),
            folder.resolve("pki/controller-manager.crt").toString(),
            folder.resolve("pki/front-proxy/ca.crt").toString(),
            folder.resolve("pki/front-proxy/f.crt").toString());
    assertThat(report.json().objects())
        .extracting(each -> each.string("notAfter"))
        .contains("2027-01-01T00:00:00Z");
    assertThat(report.json().objects().getFirst()).isInstanceOf(JsonObject.class);
  }
}
