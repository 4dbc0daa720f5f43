package dev.muster.authentication;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.authentication.OddCertificates.Odd;
import dev.muster.model.User;
import java.io.ByteArrayInputStream;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Whatever certificates somebody shows, they make of him whom a known authority says he is, or
 * nobody. {@code -Dmuster.fuzz.seconds} sets for how long it tries (1), {@code -Dmuster.fuzz.seed}
 * what it tries.
 */
class CertificateFuzzTest {
  private static final long SECONDS = Long.getLong("muster.fuzz.seconds", 1);
  private static final long SEED = Long.getLong("muster.fuzz.seed", 36);
  private static final Instant NOW = Instant.parse("2026-06-01T00:00:00Z");

  private final Random random = new Random(SEED);
  private final CertificateForge root = CertificateForge.root("ca", NOW);
  private final OddCertificates odd = new OddCertificates(root, random, NOW);
  private final ClientCertificates certificates =
      new ClientCertificates(List.of(root.certificate()), () -> NOW);

  private static long end() {
    return System.nanoTime() + SECONDS * 1_000_000_000;
  }

  @Test
  void oddCertificatesMakeNobodyOfWhomTheyDoNotName() {
    int good = 0;
    int tried = 0;
    for (long end = end(); System.nanoTime() < end || tried < 50; tried++) {
      var chain = odd.next();
      var verdict = certificates.verify(chain.chain());
      var shown = "seed %d, try %d: %s %s".formatted(SEED, tried, chain.name(), chain.wrong());
      if (!chain.wrong().isEmpty()) {
        assertThat(verdict.user()).as(shown).isNull();
      } else if (chain.name().isEmpty()) {
        assertThat(verdict.user()).as(shown).isNull();
        assertThat(verdict.isRefused()).as(shown).isFalse();
      } else {
        assertIs(chain, verdict.user(), shown);
        good++;
      }
    }
    assertThat(good).isPositive().isLessThan(tried);
  }

  private static void assertIs(Odd chain, @Nullable User user, String shown) {
    assertThat(user).as(shown).isNotNull();
    if (user != null) {
      assertThat(user.name()).as(shown).isEqualTo(chain.name());
      var groups = new ArrayList<>(chain.groups());
      groups.add(User.ALL_AUTHENTICATED);
      assertThat(user.groups()).as(shown).containsExactlyElementsOf(groups);
    }
  }

  @Test
  void certificatesThatSomebodyHasChangedAreNobodys() {
    int read = 0;
    int tried = 0;
    for (long end = end(); System.nanoTime() < end || tried < 200; tried++) {
      var chain = odd.next();
      var changed = new ArrayList<>(chain.chain());
      int at = random.nextInt(changed.size());
      var mutated = mutated(changed.get(at));
      if (mutated == null) {
        continue;
      }
      read++;
      boolean same = isSame(mutated, changed.get(at));
      changed.set(at, mutated);
      var verdict = certificates.verify(changed);
      var shown = "seed %d, try %d: %s %s".formatted(SEED, tried, chain.name(), chain.wrong());
      var user = verdict.user();
      if (user != null && !same) {
        // What was changed is not part of any way to the authority.
        assertThat(at).as(shown).isPositive();
      }
      if (user != null) {
        assertThat(chain.wrong()).as(shown).isEmpty();
        assertIs(chain, user, shown);
      }
    }
    assertThat(read).isPositive();
  }

  /** Whether it says the same: its signature may be written in more than one way. */
  private static boolean isSame(X509Certificate one, X509Certificate other) {
    try {
      return Arrays.equals(one.getTBSCertificate(), other.getTBSCertificate());
    } catch (CertificateException e) {
      return false;
    }
  }

  /** Null when it is no certificate any more, which no TLS library hands on. */
  private @Nullable X509Certificate mutated(X509Certificate certificate) {
    try {
      var bytes = certificate.getEncoded();
      for (int change = random.nextInt(3); change >= 0; change--) {
        bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
      }
      return (X509Certificate)
          CertificateFactory.getInstance("X.509")
              .generateCertificate(new ByteArrayInputStream(bytes));
    } catch (CertificateException e) {
      return null;
    }
  }
}
