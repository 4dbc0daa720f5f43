package dev.muster.access.pki;

import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;

/**
 * The keys and certificates that a server makes for itself, in one folder: {@code ca.crt/.key},
 * {@code sa.key/.pub} and a pair per identity. What is there and still good is kept; what is
 * missing, near its end, signed by somebody else or short of a wanted name is made anew. One
 * process at a time: the caller holds the data folder's lock.
 */
public final class PkiFolder {
  private static final Duration AUTHORITY_LIFE = Duration.ofDays(3650);
  private static final Duration LEAF_LIFE = Duration.ofDays(365);
  private static final int TOKEN_KEY_BITS = 2048;

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
    if (Files.exists(certificate) && Files.exists(key)) {
      var authority = Authority.of(Pem.read(certificate), Pem.read(key));
      if (!Identity.nearsItsEnd(authority.certificate(), clock.instant())) {
        return new PkiFolder(folder, clock, authority);
      }
    }
    var authority = Authority.create("muster-ca", clock.instant(), AUTHORITY_LIFE);
    Pem.writeSecret(key, Pem.of(authority.key()));
    Pem.writePublic(certificate, Pem.of(authority.certificate()));
    return new PkiFolder(folder, clock, authority);
  }

  public Authority authority() {
    return authority;
  }

  public Path authorityFile() {
    return folder.resolve("ca.crt");
  }

  /** The serving certificate of that name, holding at least these names. */
  public Identity server(String name, Names names) {
    return identity(name, names, now -> authority.server(name, names, now, LEAF_LIFE));
  }

  /** The client certificate of that name. */
  public Identity client(String name, String user, List<String> groups) {
    return identity(
        name,
        Names.of(List.of(), List.of()),
        now -> authority.client(user, groups, now, LEAF_LIFE));
  }

  /** The key that signs service account tokens; kept for ever, because tokens outlive servers. */
  public KeyPair tokenKey() {
    var file = folder.resolve("sa.key");
    if (Files.exists(file)) {
      return Pem.keyPair(Pem.read(file));
    }
    var pair = Keys.rsa(TOKEN_KEY_BITS);
    Pem.writePublic(folder.resolve("sa.pub"), Pem.of(pair.getPublic()));
    Pem.writeSecret(file, Pem.of(pair.getPrivate()));
    return pair;
  }

  private interface Issuer {
    Identity issue(Instant now);
  }

  private Identity identity(String name, Names names, Issuer issuer) {
    var certificate = folder.resolve(name + ".crt");
    var key = folder.resolve(name + ".key");
    var now = clock.instant();
    if (Files.exists(certificate) && Files.exists(key)) {
      var chain = Pem.certificates(Pem.read(certificate));
      if (!chain.isEmpty()
          && isOurs(chain.getFirst())
          && !Identity.needsRenewal(chain.getFirst(), names, now)) {
        return new Identity(Pem.privateKey(Pem.read(key)), chain);
      }
    }
    var made = issuer.issue(now);
    Pem.writeSecret(key, Pem.of(made.key()));
    Pem.writePublic(certificate, Pem.of(made.chain()));
    return made;
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
