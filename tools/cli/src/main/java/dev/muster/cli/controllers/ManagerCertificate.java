package dev.muster.cli.controllers;

import dev.muster.model.FileProblems;
import dev.muster.pki.Authority;
import dev.muster.pki.CertificateNames;
import dev.muster.pki.Identity;
import dev.muster.pki.PemFiles;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The serving certificate of the controller manager's port: from files, which are read again after
 * a change, or self-signed and renewed near its end. A new connection triggers the check, at most
 * once a minute. Guarded by its own lock.
 */
final class ManagerCertificate extends X509ExtendedKeyManager {
  private static final Logger log = LoggerFactory.getLogger(ManagerCertificate.class);
  private static final String NAME = "muster-controller-manager";
  private static final Duration LIFE = Duration.ofDays(365);
  private static final Duration LOOK = Duration.ofMinutes(1);
  private static final CertificateNames NAMES =
      new CertificateNames(Set.of("localhost"), Set.of(InetAddress.getLoopbackAddress()));

  private final @Nullable Path certificate;
  private final @Nullable Path key;
  private final InstantSource clock;
  private List<FileTime> seen;
  private Identity current;
  private Instant looked;

  /**
   * @param certificate null for a self-signed one
   * @throws IllegalArgumentException when a file cannot be used
   */
  ManagerCertificate(@Nullable Path certificate, @Nullable Path key, InstantSource clock) {
    this.certificate = certificate;
    this.key = key;
    this.clock = clock;
    this.looked = clock.instant();
    this.seen = changed();
    this.current =
        certificate == null || key == null ? made() : PemFiles.identity(certificate, key);
  }

  private Identity made() {
    var now = clock.instant();
    return Authority.create(NAME, now, LIFE).server(NAME, NAMES, now, LIFE);
  }

  synchronized Identity identity() {
    var now = clock.instant();
    if (now.isBefore(looked) || !now.isBefore(looked.plus(LOOK))) {
      looked = now;
      try {
        check(now);
      } catch (RuntimeException e) {
        log.warn("the certificate cannot be renewed, the old one stays: {}", e.getMessage());
      }
    }
    return current;
  }

  private void check(Instant now) {
    if (certificate == null || key == null) {
      if (Identity.needsRenewal(current.certificate(), NAMES, now)) {
        current = made();
        log.info("the certificate was renewed");
      }
      return;
    }
    var changed = changed();
    if (!changed.equals(seen)) {
      current = PemFiles.identity(certificate, key);
      seen = changed;
      log.info("the certificate was read again");
    }
  }

  private List<FileTime> changed() {
    return certificate == null || key == null
        ? List.of()
        : List.of(changed(certificate), changed(key));
  }

  private static FileTime changed(Path file) {
    try {
      return Files.getLastModifiedTime(file);
    } catch (IOException e) {
      throw new IllegalArgumentException(FileProblems.text(file, e), e);
    }
  }

  @Override
  public String chooseEngineServerAlias(String type, Principal[] issuers, SSLEngine engine) {
    return alias(type);
  }

  @Override
  public String chooseServerAlias(String type, Principal[] issuers, Socket socket) {
    return alias(type);
  }

  /** The JDK asks for one type of key after the other. */
  @SuppressWarnings("NullAway") // no key of that kind
  private String alias(String type) {
    return type.startsWith(identity().key().getAlgorithm().replace("ECDSA", "EC")) ? NAME : null;
  }

  @Override
  public X509Certificate[] getCertificateChain(String alias) {
    return identity().chain().toArray(X509Certificate[]::new);
  }

  @Override
  public PrivateKey getPrivateKey(String alias) {
    return identity().key();
  }

  @Override
  public String[] getServerAliases(String type, Principal[] issuers) {
    return new String[] {NAME};
  }

  @Override
  public String[] getClientAliases(String type, Principal[] issuers) {
    return new String[0];
  }

  @Override
  @SuppressWarnings("NullAway") // it is no client
  public String chooseClientAlias(String[] types, Principal[] issuers, Socket socket) {
    return null;
  }
}
