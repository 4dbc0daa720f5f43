package dev.muster.authentication;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.pki.Authority;
import dev.muster.pki.CertificateNames;
import dev.muster.pki.Identity;
import dev.muster.pki.Pem;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClientCertificatesTest {
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
  private static final Duration YEAR = Duration.ofDays(365);

  private Instant now = START;
  private final Authority authority = Authority.create("ca", START, YEAR.multipliedBy(5));
  private final ClientCertificates certificates =
      new ClientCertificates(List.of(authority.certificate()), () -> now);

  private String refusal(Identity identity) {
    return requireNonNull(certificates.verify(identity.chain()).refusal()).why();
  }

  @Test
  void nameAndOrganizationsAreUserAndGroups() {
    var jane = authority.client("jane", List.of("devs", "ops"), START, YEAR);
    var user = requireNonNull(certificates.verify(jane.chain()).user());
    assertThat(user.name()).isEqualTo("jane");
    assertThat(user.groups()).containsExactly("devs", "ops", "system:authenticated");
    assertThat(user.uid()).isEmpty();
    assertThat(user.extra().get("authentication.kubernetes.io/credential-id"))
        .singleElement()
        .asString()
        .matches("X509SHA256=[0-9a-f]{64}");
    var again = requireNonNull(certificates.remembered(jane.chain().getFirst()));
    assertThat(again.user()).isSameAs(user);
  }

  @Test
  void refusesWhatAnotherAuthoritySigned() {
    var other = Authority.create("ca", START, YEAR).client("jane", List.of(), START, YEAR);
    assertThat(refusal(other)).contains("unknown authority");
  }

  @Test
  void refusesExpiredCertificatesThatWereGoodBefore() {
    var jane = authority.client("jane", List.of(), START, YEAR);
    var good = certificates.verify(jane.chain());
    assertThat(certificates.holds(good)).isTrue();
    now = START.plus(YEAR).plusSeconds(1);
    assertThat(certificates.holds(good)).isFalse();
    assertThat(certificates.remembered(jane.chain().getFirst())).isNull();
    assertThat(refusal(jane)).contains("expired");
    now = START.minus(Duration.ofDays(1));
    assertThat(refusal(jane)).isNotEmpty();
  }

  @Test
  void refusesCertificatesOfServers() {
    var server =
        authority.server("jane", CertificateNames.of(List.of("a"), List.of()), START, YEAR);
    assertThat(refusal(server)).contains("incompatible key usage");
  }

  @Test
  void followsTheBundle(@TempDir Path folder) throws Exception {
    var other = Authority.create("other", START, YEAR);
    var bundle = folder.resolve("ca.crt");
    Files.writeString(bundle, Pem.of(authority.certificate()));
    var reloading = ClientCertificates.of(bundle, () -> now);
    var jane = other.client("jane", List.of(), START, YEAR);
    var joe = authority.client("joe", List.of(), START, YEAR);
    var joesVerdict = reloading.verify(joe.chain());
    assertThat(joesVerdict.isRefused()).isFalse();
    var janesVerdict = reloading.verify(jane.chain());
    assertThat(janesVerdict.isRefused()).isTrue();
    replace(reloading, bundle, Pem.of(other.certificate()));
    assertThat(reloading.holds(joesVerdict)).isFalse();
    assertThat(reloading.holds(janesVerdict)).isFalse();
    assertThat(reloading.verify(jane.chain()).isRefused()).isFalse();
    assertThat(reloading.verify(joe.chain()).isRefused()).isTrue();
    replace(reloading, bundle, "");
    assertThat(reloading.verify(jane.chain()).isRefused()).isFalse();
    Files.delete(bundle);
    reloading.refresh();
    assertThat(reloading.verify(jane.chain()).isRefused()).isFalse();
  }

  private void replace(ClientCertificates reloading, Path bundle, String text) throws Exception {
    now = now.plusSeconds(11);
    Files.writeString(bundle, text);
    Files.setLastModifiedTime(bundle, FileTime.from(now));
    reloading.refresh();
  }
}
