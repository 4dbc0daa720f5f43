package dev.muster.server.egress;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** How connections of one type are made. */
public sealed interface EgressConnection {
  /** Without a proxy. */
  record Direct() implements EgressConnection {}

  /** Through a proxy that is asked with CONNECT. */
  record HttpConnect(Proxy proxy) implements EgressConnection {}

  /** Through a proxy of konnectivity, at a socket of this machine. */
  record Grpc(Path socket) implements EgressConnection {}

  /** Where a proxy listens. */
  sealed interface Proxy {}

  /**
   * At an address.
   *
   * @param tls null when it is spoken to in the clear
   */
  record Tcp(String host, int port, @Nullable TlsFiles tls) implements Proxy {}

  /** At a socket of this machine. */
  record Uds(Path socket) implements Proxy {}

  /**
   * Whom we believe to be the proxy, and what we show to it.
   *
   * @param authorities null for those of this machine
   * @param serverName that its certificate has to be for; "" for its host
   */
  record TlsFiles(@Nullable Path authorities, Path certificate, Path key, String serverName) {}
}
