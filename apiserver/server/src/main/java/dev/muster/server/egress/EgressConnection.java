package dev.muster.server.egress;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** How connections of one egress type are made. */
public sealed interface EgressConnection {
  /** Without a proxy. */
  record Direct() implements EgressConnection {}

  /** Through an HTTP CONNECT proxy. */
  record HttpConnect(Proxy proxy) implements EgressConnection {}

  /** Through a konnectivity proxy at a Unix socket. */
  record Grpc(Path socket) implements EgressConnection {}

  /** The address of a proxy. */
  sealed interface Proxy {}

  /**
   * A TCP address.
   *
   * @param tls null for plain text
   */
  record Tcp(String host, int port, @Nullable TlsFiles tls) implements Proxy {}

  /** A Unix socket. */
  record Uds(Path socket) implements Proxy {}

  /**
   * The TLS files for the connection to the proxy.
   *
   * @param authorities null for the CAs of this machine
   * @param serverName that the proxy's certificate must have; "" for its host
   */
  record TlsFiles(@Nullable Path authorities, Path certificate, Path key, String serverName) {}
}
