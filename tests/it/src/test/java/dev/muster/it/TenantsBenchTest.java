package dev.muster.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.bench.BenchOptions;
import dev.muster.bench.Progress;
import dev.muster.bench.Result;
import dev.muster.bench.client.BenchTarget;
import dev.muster.bench.tenants.TenantsBench;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code muster bench --tenants} on a server, for a moment: not how long, but that it measures. */
class TenantsBenchTest {
  @TempDir private Path folder;

  @Test
  void everybodyIsMeasuredWithoutAndWithTheLoudTenant() throws Exception {
    var options =
        new BenchOptions(
            List.of(),
            Duration.ofMillis(50),
            Duration.ofMillis(300),
            16,
            2,
            1,
            1,
            1,
            256,
            null,
            1,
            1,
            new BenchOptions.Kubelets(1, 1, 1));
    try (var server = ServerInProcess.start(folder)) {
      var bench =
          new TenantsBench(
              BenchTarget.read(server.kubeconfig(), null),
              options,
              new Progress(new PrintStream(OutputStream.nullOutputStream()), false));
      var results = bench.run(result -> {});
      assertThat(results)
          .extracting(Result::scenario)
          .containsExactly(
              "tenant-alone",
              "heartbeat-alone",
              "election-alone",
              "tenant-beside",
              "heartbeat-beside",
              "election-beside",
              "loud");
      assertThat(results)
          .allSatisfy(
              result -> {
                assertThat(result.firstError()).as(result.scenario()).isNull();
                assertThat(result.requests()).as(result.scenario()).isPositive();
              });
      assertThat(bench.summary()).containsSubsequence("tenant: p50", "heartbeat:", "election:");
    }
  }
}
