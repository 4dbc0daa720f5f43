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
 * Guarded by its own lock. An authority of the webhook's own and the serving certificate of it,
 * which live in this process only. New ones are trusted before they are used: API servers know the
 * next authority when the first connection shows it.
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

  /** What API servers are to trust, in PEM; makes new certificates when it is time. */
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

  /** API servers trust what {@link #bundle} said; new certificates may be shown. */
  synchronized void registered(String bundle) {
    if (next != null && bundle.contains(Pem.of(next.authority().certificate()).strip())) {
      current = next;
      next = null;
    }
  }
}
