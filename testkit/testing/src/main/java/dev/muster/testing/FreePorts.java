package dev.muster.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;

/** Finds free loopback ports. */
public final class FreePorts {
  private FreePorts() {}

  /**
   * That many distinct ports. Another process may take one before you use it, so be ready to retry.
   */
  public static List<Integer> find(int count) {
    return find(count, new ArrayList<>());
  }

  /** Keeps each port open while it looks for the next one, so that they differ. */
  private static List<Integer> find(int count, List<Integer> found) {
    if (found.size() == count) {
      return found;
    }
    try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      found.add(socket.getLocalPort());
      return find(count, found);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
