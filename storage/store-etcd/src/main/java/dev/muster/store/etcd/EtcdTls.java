package dev.muster.store.etcd;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The PEM files for TLS connections to etcd.
 *
 * @param caFile the CA certificates that sign etcd's certificate; null to use the JVM's
 * @param certFile the client certificate; null when etcd requires none
 * @param keyFile the private key of the client certificate
 */
public record EtcdTls(@Nullable Path caFile, @Nullable Path certFile, @Nullable Path keyFile) {

  /** No files: uses the JVM's CA certificates and no client certificate. */
  public static final EtcdTls DEFAULT = new EtcdTls(null, null, null);

  public EtcdTls {
    if ((certFile == null) != (keyFile == null)) {
      throw new IllegalArgumentException("a client certificate and its key come together");
    }
  }
}
