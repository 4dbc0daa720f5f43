package dev.muster.multicluster.membership;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;

/**
 * Lock holder names that identify a process on its machine, so that a command recognizes at once
 * that an earlier one was killed.
 */
final class LocalProcess {
  private static final Path BOOT = Path.of("/proc/sys/kernel/random/boot_id");
  private static final Path PROCESSES = Path.of("/proc/self/ns/pid");

  private LocalProcess() {}

  /** The name of this process: {@code ROLE-MACHINE.PID.RANDOM}. */
  static String holder(String role) {
    var unique = UUID.randomUUID().toString();
    var machine = machine();
    return machine.isEmpty()
        ? role + "-" + unique
        : "%s-%s.%d.%s".formatted(role, machine, ProcessHandle.current().pid(), unique);
  }

  /** Whether the named process ran on this machine and has ended. */
  static boolean isGone(String holder) {
    var parts = holder.split("\\.");
    var machine = machine();
    if (parts.length != 3 || machine.isEmpty() || !parts[0].endsWith("-" + machine)) {
      return false;
    }
    try {
      return ProcessHandle.of(Long.parseLong(parts[1])).isEmpty();
    } catch (NumberFormatException e) {
      return false;
    }
  }

  /**
   * Identifies where process IDs have the same meaning: the boot of a kernel and a PID namespace;
   * "" if unknown.
   */
  private static String machine() {
    try {
      var boot = Files.readString(BOOT).strip().replace("-", "");
      var space = Files.readSymbolicLink(PROCESSES).toString().replaceAll("[^0-9]", "");
      return boot.isEmpty() || space.isEmpty() ? "" : boot + "x" + space;
    } catch (IOException | UnsupportedOperationException | SecurityException e) {
      return "";
    }
  }
}
