package dev.muster.fleet.identity;

import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Determines the name of this machine. */
final class HostName {
  private static final Path KERNEL = Path.of("/proc/sys/kernel/hostname");

  private HostName() {}

  /** Avoids the network where possible. */
  static String ofThisMachine() {
    try {
      var name = Files.readString(KERNEL).strip();
      if (!name.isEmpty()) {
        return name;
      }
    } catch (IOException e) {
      // not Linux
    }
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      return "localhost";
    }
  }
}
