package dev.muster.server.start;

import dev.muster.http.tls.NamedMaterial;
import dev.muster.server.options.tls.SniCertKey;
import java.time.InstantSource;
import java.util.List;

/**
 * The certificates for TLS clients that ask for certain names (SNI). Event loops read them; the
 * background thread reloads them.
 */
public final class SniCertificates {
  /** A certificate and the names that the flag gives it. */
  private record Named(ServingCertificate certificate, List<String> names) {}

  private final List<Named> all;
  private volatile List<NamedMaterial> materials;

  /**
   * @throws IllegalArgumentException naming the files of the first certificate that cannot be used
   */
  public SniCertificates(List<SniCertKey> files, InstantSource clock) {
    all = files.stream().map(each -> new Named(read(each, clock), each.names())).toList();
    materials = newest();
  }

  private static ServingCertificate read(SniCertKey files, InstantSource clock) {
    try {
      return ServingCertificate.of(files.certificateFile(), files.keyFile(), clock);
    } catch (RuntimeException e) {
      throw new IllegalArgumentException(
          "--tls-sni-cert-key: failed to load SNI cert and key "
              + files.certificateFile()
              + ", "
              + files.keyFile()
              + ": "
              + e.getMessage(),
          e);
    }
  }

  private List<NamedMaterial> newest() {
    return all.stream()
        .map(each -> new NamedMaterial(each.certificate().material(), each.names()))
        .toList();
  }

  public List<NamedMaterial> materials() {
    return materials;
  }

  /** Reloads changed certificates. */
  public void refresh() {
    all.forEach(each -> each.certificate().refresh());
    materials = newest();
  }
}
