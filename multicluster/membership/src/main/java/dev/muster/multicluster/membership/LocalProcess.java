package dev.muster.multicluster.membership;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;

/**
 * Names of holders of a lock that say in which process they are, so that a command on the same
 * machine knows at once that an earlier one was killed.
 */
final class LocalProcess {
  private static final Path BOOT = Path.of("/proc/sys/kernel/random/boot_id");
  private static final Path PROCESSES = Path.of("/proc/self/ns/pid");

  private LocalProcess() {}

  /** A name of this process: {@code ROLE-MACHINE.PID.RANDOM}. */
  static String holder(String role) {
    var unique = UUID.randomUUID().toString();
    var machine = machine();
    return machine.isEmpty()
        ? role + "-" + unique
        : "%s-%s.%d.%s".formatted(role, machine, ProcessHandle.current().pid(), unique);
  }

  /** Whether the process of that name ran where this one does, and is no more. */
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
   * Where numbers of processes mean the same as here: one start of one kernel, and one space of
   * numbers in it; "" where that cannot be told.
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
