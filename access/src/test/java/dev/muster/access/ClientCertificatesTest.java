package dev.muster.access;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.access.pki.Authority;
import dev.muster.access.pki.Names;
import dev.muster.access.pki.Pem;
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

  @Test
  void nameAndOrganizationsAreUserAndGroups() {
    var jane = authority.client("jane", List.of("devs", "ops"), START, YEAR);
    var user = requireNonNull(certificates.authenticate(jane.chain()));
    assertThat(user.name()).isEqualTo("jane");
    assertThat(user.groups()).containsExactly("devs", "ops", "system:authenticated");
    assertThat(user.uid()).isEmpty();
    assertThat(user.extra().get("authentication.kubernetes.io/credential-id"))
        .singleElement()
        .asString()
        .matches("X509SHA256=[0-9a-f]{64}");
    assertThat(certificates.authenticate(jane.chain())).isSameAs(user);
  }

  @Test
  void refusesWhatAnotherAuthoritySigned() {
    var other = Authority.create("ca", START, YEAR).client("jane", List.of(), START, YEAR);
    assertThatThrownBy(() -> certificates.authenticate(other.chain()))
        .isInstanceOf(RefusedCredentials.class)
        .hasMessageContaining("unknown authority");
  }

  @Test
  void refusesExpiredCertificatesThatWereGoodBefore() {
    var jane = authority.client("jane", List.of(), START, YEAR);
    certificates.authenticate(jane.chain());
    now = START.plus(YEAR).plusSeconds(1);
    assertThatThrownBy(() -> certificates.authenticate(jane.chain()))
        .isInstanceOf(RefusedCredentials.class)
        .hasMessageContaining("expired");
    now = START.minus(Duration.ofDays(1));
    assertThatThrownBy(() -> certificates.authenticate(jane.chain()))
        .isInstanceOf(RefusedCredentials.class);
  }

  @Test
  void refusesCertificatesOfServers() {
    var server = authority.server("jane", Names.of(List.of("a"), List.of()), START, YEAR);
    assertThatThrownBy(() -> certificates.authenticate(server.chain()))
        .isInstanceOf(RefusedCredentials.class)
        .hasMessageContaining("incompatible key usage");
  }

  @Test
  void followsTheBundle(@TempDir Path folder) throws Exception {
    var other = Authority.create("other", START, YEAR);
    var bundle = folder.resolve("ca.crt");
    Files.writeString(bundle, Pem.of(authority.certificate()));
    var reloading = ClientCertificates.of(bundle, () -> now);
    var jane = other.client("jane", List.of(), START, YEAR);
    var joe = authority.client("joe", List.of(), START, YEAR);
    reloading.authenticate(joe.chain());
    assertThatThrownBy(() -> reloading.authenticate(jane.chain()))
        .isInstanceOf(RefusedCredentials.class);
    replace(bundle, Pem.of(other.certificate()));
    assertThat(reloading.authenticate(jane.chain())).isNotNull();
    assertThatThrownBy(() -> reloading.authenticate(joe.chain()))
        .isInstanceOf(RefusedCredentials.class);
    replace(bundle, "");
    assertThat(reloading.authenticate(jane.chain())).isNotNull();
    Files.delete(bundle);
    now = now.plusSeconds(11);
    assertThat(reloading.authenticate(jane.chain())).isNotNull();
  }

  private void replace(Path bundle, String text) throws Exception {
    now = now.plusSeconds(11);
    Files.writeString(bundle, text);
    Files.setLastModifiedTime(bundle, FileTime.from(now));
  }
}
