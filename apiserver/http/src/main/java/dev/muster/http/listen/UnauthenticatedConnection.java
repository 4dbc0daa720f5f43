package dev.muster.http.listen;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A connection of which nothing is known yet. Everything in it belongs to {@link
 * UnauthenticatedConnections}, under its lock.
 */
final class UnauthenticatedConnection {
  enum Stage {
    /** Its TLS handshake is not finished. */
    HANDSHAKE,
    /** It has not yet sent a request of somebody who could be authenticated. */
    STRANGER,
    /** It is known, or gone. */
    LEFT
  }

  /** A client's part of a handshake has no more pieces than that, unless it means to be slow. */
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

  /** Who has an IPv6 address has all of its last half. */
  private static Object network(@Nullable InetAddress address) {
    return switch (address) {
      case Inet6Address six -> ByteBuffer.wrap(six.getAddress()).getLong();
      case InetAddress other -> other;
      case null -> "";
    };
  }

  /** Whether it still counts when something is heard of it. */
  boolean isHeard(long now) {
    if (stage != Stage.HANDSHAKE || heard >= MOST_HEARD) {
      return false;
    }
    heard++;
    lastHeard = now;
    return true;
  }
}
