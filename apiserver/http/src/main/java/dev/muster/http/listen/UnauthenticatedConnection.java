package dev.muster.http.listen;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A connection without an authenticated user. {@link UnauthenticatedConnections} owns its state and
 * protects it with its lock.
 */
final class UnauthenticatedConnection {
  enum Stage {
    /** Its TLS handshake is not finished. */
    HANDSHAKE,
    /** No request on it has been authenticated yet. */
    STRANGER,
    /** It is authenticated, or closed. */
    LEFT
  }

  /** A client's part of a handshake needs no more pieces than this, unless it delays on purpose. */
  private static final int MOST_HEARD = 16;

  final Runnable close;
  final Object address;
  Stage stage = Stage.HANDSHAKE;
  long lastHeard;
  private int heard;

  UnauthenticatedConnection(InetSocketAddress remote, Runnable close, long now) {
    this.close = close;
    this.address = network(remote.getAddress());
    this.lastHeard = now;
  }

  /** A client with an IPv6 address controls all addresses of its /64 network. */
  private static Object network(@Nullable InetAddress address) {
    return switch (address) {
      case Inet6Address six -> ByteBuffer.wrap(six.getAddress()).getLong();
      case InetAddress other -> other;
      case null -> "";
    };
  }

  /** Whether received bytes still count as progress. */
  boolean isHeard(long now) {
    if (stage != Stage.HANDSHAKE || heard >= MOST_HEARD) {
      return false;
    }
    heard++;
    lastHeard = now;
    return true;
  }
}
