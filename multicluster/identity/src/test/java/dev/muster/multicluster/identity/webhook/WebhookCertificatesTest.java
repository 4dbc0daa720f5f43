package dev.muster.multicluster.identity.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.pki.Pem;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class WebhookCertificatesTest {
  private final AtomicReference<Instant> now =
      new AtomicReference<>(Instant.parse("2026-01-01T00:00:00Z"));

  @Test
  void newCertificatesAreTrustedBeforeTheyAreShown() throws Exception {
    var certificates = new WebhookCertificates("10.0.0.5", now::get);
    var first = certificates.serving();
    var bundle = certificates.bundle();
    certificates.registered(bundle);
    assertThat(certificates.serving()).isSameAs(first);
    first.certificate().verify(Pem.certificates(bundle).getFirst().getPublicKey());
    now.updateAndGet(time -> time.plus(Duration.ofDays(61)));
    var both = certificates.bundle();
    assertThat(Pem.certificates(both)).hasSize(2);
    assertThat(both).contains(bundle.strip());
    assertThat(certificates.serving()).as("before it is registered").isSameAs(first);
    certificates.registered(bundle);
    assertThat(certificates.serving()).as("another bundle was registered").isSameAs(first);
    certificates.registered(both);
    var second = certificates.serving();
    assertThat(second).isNotSameAs(first);
    second.certificate().verify(Pem.certificates(both).getFirst().getPublicKey());
    assertThat(Pem.certificates(certificates.bundle())).hasSize(1);
  }

  @Test
  void theCertificateNamesTheHost() throws Exception {
    assertThat(
            new WebhookCertificates("muster.kube-system.svc", now::get)
                .serving()
                .certificate()
                .getSubjectAlternativeNames()
                .toString())
        .contains("muster.kube-system.svc");
    assertThat(
            new WebhookCertificates("[fd00::5]", now::get)
                .serving()
                .certificate()
                .getSubjectAlternativeNames()
                .toString())
        .contains("fd00:");
  }
}
