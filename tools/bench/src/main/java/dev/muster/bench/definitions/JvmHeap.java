package dev.muster.bench.definitions;

import dev.muster.bench.ServerProcesses;
import dev.muster.bench.client.BenchFailure;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.OptionalLong;
import java.util.regex.Pattern;

/**
 * What servers that run on a JVM hold in their heaps: resident memory says little about them, since
 * a collector keeps room. Asked with the {@code jcmd} of the Java that runs the measurement.
 */
final class JvmHeap {
  private static final Pattern USED = Pattern.compile("used (\\d+)K");

  private JvmHeap() {}

  /** What all processes hold after a collection; empty when one of them is no JVM. */
  static OptionalLong liveBytes(ServerProcesses processes) {
    long bytes = 0;
    for (var pid : processes.pids()) {
      jcmd(pid, "GC.run");
      var used = USED.matcher(jcmd(pid, "GC.heap_info"));
      if (!used.find()) {
        return OptionalLong.empty();
      }
      bytes += Long.parseLong(used.group(1)) * 1024;
    }
    return processes.pids().isEmpty() ? OptionalLong.empty() : OptionalLong.of(bytes);
  }

  private static String jcmd(long pid, String command) {
    var tool = Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
    try {
      var process =
          new ProcessBuilder(tool, Long.toString(pid), command).redirectErrorStream(true).start();
      var output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      process.waitFor();
      return output;
    } catch (IOException e) {
      return "";
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new BenchFailure("interrupted", e);
    }
  }
}
