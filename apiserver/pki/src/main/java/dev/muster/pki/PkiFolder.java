package dev.muster.pki;

import dev.muster.model.FileProblems;
import dev.muster.store.PrivateFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The keys and certificates that a server makes for itself, in one folder: {@code ca.crt/.key},
 * {@code sa.key/.pub} and a pair per identity. What is there and still good is kept; what is
 * missing, near its end, signed by somebody else or short of a wanted name is made anew. Safe for
 * several threads and for several processes that start on one folder: what one of them makes, all
 * use. A folder that has everything is only read. Nobody but the owner can read what is made here;
 * keys that others can read, from other times or other hands, are closed before they are used. The
 * folder itself stays as open as it was found, for others may keep theirs in it.
 */
public final class PkiFolder {
  private static final Logger LOG = LoggerFactory.getLogger(PkiFolder.class);
  private static final Duration AUTHORITY_LIFE = Duration.ofDays(3650);
  private static final Duration LEAF_LIFE = Duration.ofDays(365);
  private static final ReentrantLock MAKING = new ReentrantLock();

  private final Path folder;
  private final InstantSource clock;
  private final Authority authority;

  private PkiFolder(Path folder, InstantSource clock, Authority authority) {
    this.folder = folder;
    this.clock = clock;
    this.authority = authority;
  }

  public static PkiFolder open(Path folder, InstantSource clock) {
    var certificate = folder.resolve("ca.crt");
    var key = folder.resolve("ca.key");
    var authority =
        knownOrMade(
            folder,
            () -> {
              var known = authority(certificate, key);
              return known == null || Identity.nearsItsEnd(known.certificate(), clock.instant())
                  ? null
                  : known;
            },
            () -> {
              var known = authority(certificate, key);
              if (known != null) {
                var renewed = known.renewed(clock.instant(), AUTHORITY_LIFE);
                Pem.write(certificate, Pem.of(renewed.certificate()));
                LOG.info("the authority in {} was renewed", certificate);
                return renewed;
              }
              var made = Authority.create("muster-ca", clock.instant(), AUTHORITY_LIFE);
              Pem.write(key, Pem.of(made.key()));
              Pem.write(certificate, Pem.of(made.certificate()));
              return made;
            });
    return new PkiFolder(folder, clock, authority);
  }

  /** The one that is there; null when a file is missing. */
  private static @Nullable Authority authority(Path certificate, Path key) {
    if (!Files.exists(certificate) || !Files.exists(key)) {
      return null;
    }
    close(key);
    return Authority.of(PemFiles.identity(certificate, key));
  }

  /** What is known, or made by whoever comes first while all others wait. */
  private static <T> T knownOrMade(Path folder, Supplier<@Nullable T> known, Supplier<T> made) {
    var found = known.get();
    if (found != null) {
      return found;
    }
    MAKING.lock();
    try {
      PrivateFiles.createFolder(folder);
      try (var file = PrivateFiles.open(folder.resolve(".lock"));
          var _ = file.lock()) {
        var meanwhile = known.get();
        return meanwhile != null ? meanwhile : made.get();
      }
    } catch (IOException e) {
      throw FileProblems.unchecked(folder, e);
    } finally {
      MAKING.unlock();
    }
  }

  /** Keeps others from reading a key that is there already. */
  private static void close(Path file) {
    try {
      if (!PrivateFiles.repair(file).isEmpty()) {
        LOG.warn("the key {} was open to others and is not any more", file);
      }
    } catch (IOException e) {
      LOG.warn("OPEN: others can read the key {}: {}", file, FileProblems.text(e));
    }
  }

  public Authority authority() {
    return authority;
  }

  public Path authorityFile() {
    return folder.resolve("ca.crt");
  }

  public Path authorityKeyFile() {
    return folder.resolve("ca.key");
  }

  /** The serving certificate of that name, holding at least these names. */
  public Identity server(String name, CertificateNames names) {
    return identity(name, names, now -> authority.server(name, names, now, LEAF_LIFE));
  }

  /** The client certificate of that name. */
  public Identity client(String name, String user, List<String> groups) {
    return identity(
        name,
        CertificateNames.of(List.of(), List.of()),
        now -> authority.client(user, groups, now, LEAF_LIFE));
  }

  /** The certificate of that name for a program of ours that calls others. */
  public Identity component(String name, String user, List<String> groups) {
    return identity(
        name,
        CertificateNames.of(List.of(), List.of()),
        now -> authority.component(user, groups, now, LEAF_LIFE));
  }

  /** The key that signs service account tokens; kept for ever, because tokens outlive servers. */
  public KeyPair tokenKey() {
    var file = folder.resolve("sa.key");
    return knownOrMade(
        folder,
        () -> {
          if (!Files.exists(file)) {
            return null;
          }
          close(file);
          return PemFiles.keyPair(file);
        },
        () -> {
          var pair = GeneratedKeys.p256();
          Pem.write(folder.resolve("sa.pub"), Pem.of(pair.getPublic()));
          Pem.write(file, Pem.of(pair));
          return pair;
        });
  }

  private interface Issuer {
    Identity issue(Instant now);
  }

  private Identity identity(String name, CertificateNames names, Issuer issuer) {
    var certificate = folder.resolve(name + ".crt");
    var key = folder.resolve(name + ".key");
    var now = clock.instant();
    return knownOrMade(
        folder,
        () -> {
          if (!Files.exists(certificate) || !Files.exists(key)) {
            return null;
          }
          close(key);
          var known = PemFiles.identity(certificate, key);
          return isOurs(known.certificate())
                  && !Identity.needsRenewal(known.certificate(), names, now)
              ? known
              : null;
        },
        () -> {
          var made = issuer.issue(now);
          Pem.write(key, Pem.of(made.key()));
          Pem.write(certificate, Pem.of(made.chain()));
          return made;
        });
  }

  private boolean isOurs(X509Certificate certificate) {
    try {
      certificate.verify(authority.certificate().getPublicKey());
      return true;
    } catch (GeneralSecurityException e) {
      return false;
    }
  }
}
