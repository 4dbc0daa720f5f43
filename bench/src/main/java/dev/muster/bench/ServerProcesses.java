package dev.muster.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;

/** What the measured processes have used, read from {@code /proc}; all of them together. */
public record ServerProcesses(List<Long> pids) {
  /** The unit of CPU times in {@code /proc}, the same on every Linux that Java runs on. */
  private static final long MICROS_PER_TICK = 10_000;

  public ServerProcesses {
    pids = List.copyOf(pids);
    for (var pid : pids) {
      if (!Files.isReadable(Path.of("/proc/" + pid + "/stat"))) {
        throw new BenchFailure("no process has the id " + pid);
      }
    }
  }

  /** CPU time used so far, user and system; empty without processes. */
  OptionalLong cpuMicros() {
    if (pids.isEmpty()) {
      return OptionalLong.empty();
    }
    long ticks = 0;
    for (var pid : pids) {
      var stat = read("/proc/" + pid + "/stat");
      var fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
      ticks += Long.parseLong(fields[11]) + Long.parseLong(fields[12]);
    }
    return OptionalLong.of(ticks * MICROS_PER_TICK);
  }

  /** Resident memory at this moment; empty without processes. */
  OptionalLong residentBytes() {
    if (pids.isEmpty()) {
      return OptionalLong.empty();
    }
    long kilobytes = 0;
    for (var pid : pids) {
      kilobytes +=
          read("/proc/" + pid + "/status")
              .lines()
              .filter(line -> line.startsWith("VmRSS:"))
              .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
              .sum();
    }
    return OptionalLong.of(kilobytes * 1024);
  }

  private static String read(String file) {
    try {
      return Files.readString(Path.of(file));
    } catch (IOException e) {
      throw new BenchFailure("a measured process has ended: " + file + " is gone", e);
    }
  }
}
