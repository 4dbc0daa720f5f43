package dev.muster.multicluster.dns;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** Measures for docs/benchmarks.md: one thread that answers, pressed by Debian's dnsperf. */
@EnabledIfSystemProperty(named = "muster.benchmark", matches = "true")
class DnsFiguresTest {
  private static final OperatingSystemMXBean SYSTEM =
      ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
  private static final int SERVICES = 1000;
  private static final Pattern COMPLETED = Pattern.compile("Queries completed:\\s+(\\d+)");
  private static final Pattern LOST = Pattern.compile("Queries lost:\\s+(\\d+)");
  private static final Pattern RATE = Pattern.compile("Queries per second:\\s+([\\d.]+)");

  @TempDir private Path folder;

  @Test
  void queriesOfOneThread() throws Exception {
    var index = new ZoneIndex(Imports.OPTIONS, 7);
    var services = new StringBuilder();
    var hosts = new StringBuilder();
    var missing = new StringBuilder();
    for (int i = 0; i < SERVICES; i++) {
      var address = (i / 200) + "." + (i % 200);
      Imports.put(index, Imports.OPTIONS, Imports.balanced("web-" + i, "10.9." + address));
      Imports.put(
          index,
          Imports.OPTIONS,
          Imports.headless("db-" + i),
          Imports.slice(
              "db-" + i,
              "east",
              Imports.endpoint("a", "10.1." + address),
              Imports.endpoint("b", "10.2." + address),
              Imports.endpoint("c", "10.3." + address)));
      services.append("web-" + i + ".test.svc.clusterset.local A\n");
      hosts.append("db-" + i + ".test.svc.clusterset.local A\n");
      missing.append("none-" + i + ".test.svc.clusterset.local A\n");
    }
    index.completed();
    var listen =
        new ListenAddresses(
            List.of(InetAddress.ofLiteral("127.0.0.1")), 0, 1, 1232, Duration.ofSeconds(10), 10);
    System.out.printf("load average before: %.1f%n", SYSTEM.getSystemLoadAverage());
    try (var server = DnsServer.start(listen, index, new DnsMetrics(index))) {
      measure("warm-up", services, server.port(), 8);
      measure("one address", services, server.port(), 8);
      measure("three addresses (headless)", hosts, server.port(), 8);
      measure("no such name", missing, server.port(), 8);
    }
  }

  private void measure(String what, StringBuilder queries, int port, int seconds)
      throws IOException, InterruptedException {
    var file = Files.writeString(folder.resolve("queries"), queries);
    long used = SYSTEM.getProcessCpuTime();
    var process =
        new ProcessBuilder(
                "dnsperf",
                "-s",
                "127.0.0.1",
                "-p",
                String.valueOf(port),
                "-d",
                file.toString(),
                "-l",
                String.valueOf(seconds),
                "-c",
                "8",
                "-q",
                "200")
            .redirectErrorStream(true)
            .start();
    var text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(text).isZero();
    double cpu = SYSTEM.getProcessCpuTime() - used;
    System.out.printf(
        "%-28s %8.0f queries/s, %5.2f us of CPU a query, %.0f lost%n",
        what, number(RATE, text), cpu / 1000 / number(COMPLETED, text), number(LOST, text));
  }

  private static double number(Pattern pattern, String text) {
    var found = pattern.matcher(text);
    assertThat(found.find()).as(text).isTrue();
    return Double.parseDouble(found.group(1));
  }
}
