package dev.muster.http.tls;

import dev.muster.pki.TlsSuites;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.function.Supplier;

/**
 * The TLS options of a server. Every new connection calls the suppliers on its event loop, so they
 * must answer from memory. A changed result applies from that connection on. If it cannot be used,
 * for example because key and certificate do not match, the last usable one stays.
 *
 * @param material the certificate for clients
 * @param named certificates for clients that ask for their names
 * @param clientAuthorities the CAs named when asking for a client certificate; the handshake
 *     accepts any certificate, and the handler verifies it
 * @param protocols as TLS names them, such as {@code TLSv1.3}
 * @param ciphers names of the TLS 1.2 cipher suites; empty for those of {@link TlsSuites#USUAL}
 * @param groups names of the key exchanges, the best first; empty for the library's choice
 * @param http2 whether HTTP/2 is offered beside HTTP/1.1
 */
public record TlsOptions(
    Supplier<TlsMaterial> material,
    Supplier<List<NamedMaterial>> named,
    Supplier<List<X509Certificate>> clientAuthorities,
    List<String> protocols,
    List<String> ciphers,
    List<String> groups,
    boolean http2) {

  private static final List<X509Certificate> NO_AUTHORITIES = List.of();
  private static final List<NamedMaterial> NO_NAMES = List.of();

  public TlsOptions {
    protocols = List.copyOf(protocols);
    ciphers = List.copyOf(ciphers);
    groups = List.copyOf(groups);
  }

  /** TLS 1.2 and 1.3 with that certificate; clients are asked for certificates of any CA. */
  public static TlsOptions of(TlsMaterial material) {
    return of(() -> material);
  }

  public static TlsOptions of(Supplier<TlsMaterial> material) {
    return new TlsOptions(
        material,
        () -> NO_NAMES,
        () -> NO_AUTHORITIES,
        List.of("TLSv1.3", "TLSv1.2"),
        List.of(),
        List.of(),
        true);
  }

  public TlsOptions withNamed(Supplier<List<NamedMaterial>> others) {
    return new TlsOptions(material, others, clientAuthorities, protocols, ciphers, groups, http2);
  }

  public TlsOptions withClientAuthorities(Supplier<List<X509Certificate>> authorities) {
    return new TlsOptions(material, named, authorities, protocols, ciphers, groups, http2);
  }

  public TlsOptions withProtocols(List<String> only) {
    return new TlsOptions(material, named, clientAuthorities, only, ciphers, groups, http2);
  }

  public TlsOptions withCiphers(List<String> only) {
    return new TlsOptions(material, named, clientAuthorities, protocols, only, groups, http2);
  }

  public TlsOptions withGroups(List<String> only) {
    return new TlsOptions(material, named, clientAuthorities, protocols, ciphers, only, http2);
  }
}
