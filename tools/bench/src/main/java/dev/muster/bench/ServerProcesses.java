package dev.muster.bench;

import dev.muster.bench.client.BenchFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import java.util.regex.Pattern;

/** What the measured processes have used, read from {@code /proc}; all of them together. */
public record ServerProcesses(List<Long> pids) {
  /** The unit of CPU times in {@code /proc}, the same on every Linux that Java runs on. */
  private static final long MICROS_PER_TICK = 10_000;

  /** How the JVM calls the threads that compile; Linux cuts the names off. */
  private static final Pattern COMPILER = Pattern.compile("\\(C[12] Compiler");

  public ServerProcesses {
    pids = List.copyOf(pids);
    for (var pid : pids) {
      if (!Files.isReadable(Path.of("/proc/" + pid + "/stat"))) {
        throw new BenchFailure("no process has the id " + pid);
      }
    }
  }

  /** CPU time used so far, user and system; empty without processes. */
  public OptionalLong cpuMicros() {
    if (pids.isEmpty()) {
      return OptionalLong.empty();
    }
    return OptionalLong.of(
        pids.stream().mapToLong(pid -> micros(read("/proc/" + pid + "/stat"))).sum());
  }

  /** CPU time that the compilers of JVMs have used so far; empty without processes. */
  public OptionalLong compilerMicros() {
    if (pids.isEmpty()) {
      return OptionalLong.empty();
    }
    long micros = 0;
    for (var pid : pids) {
      var threads = Path.of("/proc/" + pid + "/task").toFile().list();
      for (var thread : threads == null ? new String[0] : threads) {
        try {
          var stat = Files.readString(Path.of("/proc/" + pid + "/task/" + thread + "/stat"));
          micros += COMPILER.matcher(stat).find() ? micros(stat) : 0;
        } catch (IOException e) {
          // A thread that has ended meanwhile.
        }
      }
    }
    return OptionalLong.of(micros);
  }

  private static long micros(String stat) {
    var fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
    return (Long.parseLong(fields[11]) + Long.parseLong(fields[12])) * MICROS_PER_TICK;
  }

  /** Resident memory at this moment; empty without processes. */
  public OptionalLong residentBytes() {
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
