package dev.muster.multicluster.identity.webhook;

import dev.muster.model.address.Ip;
import dev.muster.pki.Authority;
import dev.muster.pki.CertificateNames;
import dev.muster.pki.Identity;
import dev.muster.pki.Pem;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The webhook's own certificate authority and serving certificate, which exist only in this
 * process. A new authority is registered before its certificate is used, so that API servers trust
 * it at the first connection. Guarded by its own lock.
 */
final class WebhookCertificates {
  static final Duration LIFE = Duration.ofDays(90);

  private record Generation(Authority authority, Identity serving) {}

  private final CertificateNames names;
  private final InstantSource clock;
  private Generation current;
  private @Nullable Generation next;

  /**
   * @param host under which API servers reach the webhook: a name or an address
   */
  WebhookCertificates(String host, InstantSource clock) {
    this.names = names(host);
    this.clock = clock;
    this.current = make();
  }

  private static CertificateNames names(String host) {
    var bare = host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
    try {
      return new CertificateNames(Set.of(), Set.of(Ip.parse(bare).toInetAddress()));
    } catch (IllegalArgumentException e) {
      return new CertificateNames(Set.of(bare), Set.of());
    }
  }

  private Generation make() {
    var now = clock.instant();
    var authority = Authority.create("muster-cluster-identity", now, LIFE);
    return new Generation(authority, authority.server("muster-cluster-identity", names, now, LIFE));
  }

  synchronized Identity serving() {
    return current.serving();
  }

  /**
   * The authorities that API servers should trust, in PEM; creates new certificates when it is
   * time.
   */
  synchronized String bundle() {
    if (next == null
        && Identity.needsRenewal(current.serving().certificate(), names, clock.instant())) {
      next = make();
    }
    var trusted = List.of(current.authority().certificate());
    return next == null
        ? Pem.of(trusted)
        : Pem.of(List.of(next.authority().certificate(), trusted.getFirst()));
  }

  /** Confirms that API servers trust this bundle, so that new certificates may be used. */
  synchronized void registered(String bundle) {
    if (next != null && bundle.contains(Pem.of(next.authority().certificate()).strip())) {
      current = next;
      next = null;
    }
  }
}
