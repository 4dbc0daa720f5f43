package dev.muster.server;

import dev.muster.registry.connect.Destination;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.NoRouteToHostException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.Locale;

/** Tries whether somebody listens, and says it in the words that operators know if not. */
final class Dial {
  private static final int PATIENCE_MILLIS = 30_000;

  private Dial() {}

  /** Nobody answered. */
  static final class Failed extends Exception {
    Failed(String message) {
      super(message, null, false, false);
    }

    String text() {
      var message = getMessage();
      return message == null ? "" : message;
    }
  }

  /** Connects and hangs up again; blocks for half a minute at the most. */
  static void once(Destination destination) throws Failed {
    var address = new InetSocketAddress(destination.host(), destination.portNumber());
    if (address.isUnresolved()) {
      throw new Failed("dial tcp: lookup " + destination.host() + ": no such host");
    }
    try (var socket = new Socket()) {
      socket.connect(address, PATIENCE_MILLIS);
    } catch (IOException e) {
      throw new Failed("dial tcp " + destination.authority() + ": " + why(e));
    }
  }

  private static String why(IOException failure) {
    var message = String.valueOf(failure.getMessage()).toLowerCase(Locale.ROOT);
    return switch (failure) {
      case SocketTimeoutException ignored -> "i/o timeout";
      case NoRouteToHostException ignored -> "connect: no route to host";
      case ConnectException ignored when message.contains("timed out") ->
          "connect: connection timed out";
      case ConnectException ignored when message.contains("refused") ->
          "connect: connection refused";
      default ->
          message.contains("unreachable")
              ? "connect: network is unreachable"
              : "connect: " + message;
    };
  }
}
