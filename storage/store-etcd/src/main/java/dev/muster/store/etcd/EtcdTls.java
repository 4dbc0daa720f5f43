package dev.muster.store.etcd;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * PEM files for connections to etcd over TLS.
 *
 * @param caFile who may sign etcd's certificate; null: the authorities that this JVM trusts
 * @param certFile our own certificate; null when etcd does not ask for one
 * @param keyFile the key of our certificate
 */
public record EtcdTls(@Nullable Path caFile, @Nullable Path certFile, @Nullable Path keyFile) {

  /** No files: trusts what this JVM trusts, shows no certificate. */
  public static final EtcdTls DEFAULT = new EtcdTls(null, null, null);

  public EtcdTls {
    if ((certFile == null) != (keyFile == null)) {
      throw new IllegalArgumentException("a client certificate and its key come together");
    }
  }
}
