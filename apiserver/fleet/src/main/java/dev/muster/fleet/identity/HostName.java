package dev.muster.fleet.identity;

import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;

/** What this machine calls itself. */
final class HostName {
  private static final Path KERNEL = Path.of("/proc/sys/kernel/hostname");

  private HostName() {}

  /** Without asking the network where that can be avoided. */
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
