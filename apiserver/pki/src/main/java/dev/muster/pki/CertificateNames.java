package dev.muster.pki;

import dev.muster.model.address.Ip;
import java.net.InetAddress;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Set;

/** The names and addresses under which a server is reached: what its certificate must hold. */
public record CertificateNames(Set<String> dns, Set<InetAddress> addresses) {
  private static final int DNS = 2;
  private static final int ADDRESS = 7;

  public CertificateNames {
    dns = Set.copyOf(dns);
    addresses = Set.copyOf(addresses);
  }

  public static CertificateNames of(Collection<String> dns, Collection<InetAddress> addresses) {
    return new CertificateNames(new LinkedHashSet<>(dns), new LinkedHashSet<>(addresses));
  }

  /**
   * The names that clients inside a cluster use, and loopback.
   *
   * @param host this machine's own name
   * @param own its advertised addresses and the first address of every service range
   */
  public static CertificateNames ofServer(String host, Collection<InetAddress> own) {
    var dns = new LinkedHashSet<String>();
    dns.add("localhost");
    dns.add("kubernetes");
    dns.add("kubernetes.default");
    dns.add("kubernetes.default.svc");
    dns.add("kubernetes.default.svc.cluster.local");
    if (!host.isEmpty()) {
      dns.add(host);
    }
    var addresses = new LinkedHashSet<>(own);
    addresses.add(InetAddress.ofLiteral("127.0.0.1"));
    addresses.add(InetAddress.ofLiteral("::1"));
    return new CertificateNames(dns, addresses);
  }

  /** The names that a certificate holds. */
  public static CertificateNames in(X509Certificate certificate) {
    var dns = new LinkedHashSet<String>();
    var addresses = new LinkedHashSet<InetAddress>();
    try {
      var all = certificate.getSubjectAlternativeNames();
      if (all != null) {
        for (var name : all) {
          if (name.get(0) instanceof Integer kind && name.get(1) instanceof String text) {
            if (kind == DNS) {
              dns.add(text);
            } else if (kind == ADDRESS) {
              addresses.add(Ip.parse(text).toInetAddress());
            }
          }
        }
      }
    } catch (CertificateParsingException e) {
      return new CertificateNames(Set.of(), Set.of());
    }
    return new CertificateNames(dns, addresses);
  }

  public boolean holds(CertificateNames wanted) {
    return dns.containsAll(wanted.dns) && addresses.containsAll(wanted.addresses);
  }
}
