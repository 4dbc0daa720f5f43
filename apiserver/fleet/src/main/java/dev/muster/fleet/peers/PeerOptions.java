package dev.muster.fleet.peers;

import dev.muster.server.options.flag.FileKind;
import dev.muster.server.options.flag.Flag;
import dev.muster.server.options.flag.FlagGroup;
import java.net.InetAddress;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Options for forwarding requests to peers, and the address at which peers reach this server. */
@FlagGroup("Other servers of the fleet")
public record PeerOptions(
    @Flag(
            name = "peer-ca-file",
            file = FileKind.CERTIFICATES,
            help =
                "PEM file with the authorities that vouch for the other servers of the fleet; read"
                    + " again when it changes. With it, requests for what this server does not"
                    + " serve are passed on to one that does. Needs --proxy-client-cert-file.")
        @Nullable Path authorities,
    @Flag(
            name = "peer-advertise-ip",
            help =
                "Address at which other servers of the fleet reach this one. Unset: the one that"
                    + " is advertised to clients.")
        @Nullable InetAddress address,
    @Flag(
            name = "peer-advertise-port",
            help = "Port that goes with --peer-advertise-ip. 0: the one that is advertised.")
        int port) {

  /** The feature gate of these options. */
  public static final String GATE = "UnknownVersionInteroperabilityProxy";

  public PeerOptions {
    if (port < 0 || port > 65_535) {
      throw new IllegalArgumentException(
          "--peer-advertise-port: " + port + " is not between 0 and 65535");
    }
  }

  public static PeerOptions defaults() {
    return new PeerOptions(null, null, 0);
  }

  /** The first flag that is set, for commands that forbid all of them; null when none is set. */
  public @Nullable String firstSet() {
    if (authorities != null) {
      return "peer-ca-file";
    }
    if (address != null) {
      return "peer-advertise-ip";
    }
    return port != 0 ? "peer-advertise-port" : null;
  }
}
