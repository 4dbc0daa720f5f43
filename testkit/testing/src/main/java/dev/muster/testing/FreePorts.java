package dev.muster.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;

/** Loopback ports that are free at the moment. */
public final class FreePorts {
  private FreePorts() {}

  /** That many different ports; somebody else may take one before it is used, so be ready. */
  public static List<Integer> find(int count) {
    return find(count, new ArrayList<>());
  }

  /** Holds every port while it looks for the next one, so that they differ. */
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
