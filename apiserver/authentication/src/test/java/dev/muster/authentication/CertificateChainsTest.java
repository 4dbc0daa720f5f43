package dev.muster.authentication;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.cert.X509Certificate;
import java.security.spec.RSAPublicKeySpec;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What a chain of a client's choice may cost: signatures are counted, not seconds. */
class CertificateChainsTest {
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  private Instant now = START;
  private final AtomicInteger signatures = new AtomicInteger();
  private final CertificateForge root = CertificateForge.root("root", START);
  private final ClientCertificates certificates =
      new ClientCertificates(
          List.of(root.certificate()),
          null,
          (path, anchor, moment) -> {
            signatures.addAndGet(path.size());
            PathValidator.pkix().validate(path, anchor, moment);
          },
          () -> now);

  private String user(List<X509Certificate> chain) {
    return requireNonNull(certificates.verify(chain).user()).name();
  }

  @Test
  void aChainInAnyOrderIsFollowedWithOneSignatureForEachCertificate() {
    var chain = new ArrayList<X509Certificate>();
    var issuer = root;
    for (int i = 0; i < 9; i++) {
      issuer = issuer.intermediate("intermediate " + i, START);
      chain.add(issuer.certificate());
    }
    Collections.shuffle(chain, new Random(1));
    chain.addFirst(issuer.client("jane", START));
    assertThat(user(chain)).isEqualTo("jane");
    assertThat(signatures).hasValue(10);
  }

  @Test
  void aChainThatIsTooLongCostsNothing() {
    var chain = new ArrayList<X509Certificate>();
    var issuer = root;
    for (int i = 0; i < 10; i++) {
      issuer = issuer.intermediate("intermediate " + i, START);
      chain.add(issuer.certificate());
    }
    chain.addFirst(issuer.client("jane", START));
    var verdict = certificates.verify(chain);
    assertThat(requireNonNull(verdict.refusal()).why()).contains("more than 10 certificates");
    assertThat(signatures).hasValue(0);
  }

  @Test
  void aChainThatLeadsToNoAuthorityCostsNothingWhateverItsNamesAre() {
    var chain = new ArrayList<X509Certificate>();
    for (int i = 0; i < 10; i++) {
      var keys = CertificateForge.newKeys();
      chain.add(CertificateForge.sign("same", keys, "same", keys, true, START));
    }
    assertThat(certificates.verify(chain).isRefused()).isTrue();
    assertThat(signatures).hasValue(0);
  }

  @Test
  void aChainWithManyWaysToAnAuthorityCostsFewOfThem() {
    var chain = new ArrayList<X509Certificate>();
    for (int i = 0; i < 10; i++) {
      var keys = CertificateForge.newKeys();
      chain.add(CertificateForge.sign("root", keys, "root", keys, true, START));
    }
    assertThat(certificates.verify(chain).isRefused()).isTrue();
    assertThat(signatures.get()).isLessThanOrEqualTo(CertificatePaths.MOST_PATHS * chain.size());
  }

  @Test
  void findsTheWayThroughTheAuthorityThatIsKnown() {
    var stranger = CertificateForge.root("stranger", START);
    var shared = stranger.intermediate("shared", START);
    var known = shared.signedBy(root, START);
    var leaf = shared.client("jane", START);
    assertThat(user(List.of(leaf, shared.certificate(), known.certificate()))).isEqualTo("jane");
  }

  @Test
  void triesAnotherWayWhenTheFirstDoesNotHold() {
    var real = root.intermediate("intermediate", START);
    var keys = CertificateForge.newKeys();
    var forged = CertificateForge.sign("intermediate", keys, "root", keys, true, START);
    var leaf = real.client("jane", START);
    assertThat(user(List.of(leaf, forged, real.certificate()))).isEqualTo("jane");
  }

  @Test
  void refusesWhatACertificateSignsThatIsNoAuthority() {
    var keys = CertificateForge.newKeys();
    var client = CertificateForge.sign("joe", keys, "root", root.keys(), false, START);
    var forged =
        CertificateForge.sign("admin", CertificateForge.newKeys(), "joe", keys, false, START);
    assertThat(certificates.verify(List.of(forged, client)).isRefused()).isTrue();
  }

  @Test
  void refusesKeysWhoseSignaturesAreCostly() throws Exception {
    var modulus = BigInteger.TWO.pow(8200).subtract(BigInteger.ONE);
    var key =
        KeyFactory.getInstance("RSA")
            .generatePublic(new RSAPublicKeySpec(modulus, BigInteger.valueOf(65537)));
    var by = CertificateForge.newKeys();
    var large = new KeyPair(key, by.getPrivate());
    var intermediate = CertificateForge.sign("large", large, "root", by, true, START);
    var leaf = CertificateForge.sign("jane", CertificateForge.newKeys(), "large", by, false, START);
    var verdict = certificates.verify(List.of(leaf, intermediate));
    assertThat(requireNonNull(verdict.refusal()).why()).contains("more than 8192 bits");
    assertThat(signatures).hasValue(0);
  }

  @Test
  void aRefusalHoldsUntilTheAuthoritiesOrTheTimeMakeADifference() {
    var stranger = CertificateForge.root("stranger", START).client("jane", START);
    var refused = certificates.verify(List.of(stranger));
    now = START.plus(Duration.ofDays(10_000));
    assertThat(certificates.holds(refused)).isTrue();
    now = START;
    var later = START.plus(Duration.ofDays(2));
    var early =
        CertificateForge.sign(
            "jane", CertificateForge.newKeys(), "root", root.keys(), false, later);
    var notYet = certificates.verify(List.of(early));
    assertThat(notYet.isRefused()).isTrue();
    assertThat(certificates.holds(notYet)).isTrue();
    now = later;
    assertThat(certificates.holds(notYet)).isFalse();
    assertThat(user(List.of(early))).isEqualTo("jane");
  }
}
