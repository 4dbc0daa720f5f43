package dev.muster.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import dev.muster.testing.ChildProcess;
import dev.muster.testing.FreePorts;
import dev.muster.testing.NeedsProgram;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What a terminal shows when the store is away, damaged or full: few lines, and no stack traces.
 */
@Tag("slow")
class OperatorMessagesTest {
  @TempDir private Path folder;

  @Test
  void aStartWithoutEtcdSaysOnceWhatItWaitsForAndStopsCleanly() throws Exception {
    int nothing = FreePorts.find(1).getFirst();
    try (var muster =
        Processes.up(folder.resolve("data"), "--store=etcd=http://127.0.0.1:" + nothing)) {
      var away =
          "etcd does not answer: waiting for http://127.0.0.1:%d (UNAVAILABLE: Connection refused)"
              .formatted(nothing);
      await()
          .atMost(Duration.ofMinutes(1))
          .until(() -> muster.output().stream().anyMatch(line -> line.contains(away)));
      muster.terminate();
      assertThat(muster.waitFor()).isZero();
      assertThat(muster.output()).filteredOn(line -> line.contains(away)).hasSizeLessThan(3);
      assertThat(muster.output()).noneMatch(OperatorMessagesTest::isOfAStackTrace);
      assertThat(muster.output()).noneMatch(line -> line.contains("until it is collected"));
      assertThat(muster.output()).contains("muster: stopping").endsWith("muster: stopped");
    }
  }

  @Test
  void aDamagedTableEndsTheStartWithOneLine() throws Exception {
    var data = folder.resolve("data");
    try (var muster = Processes.up(data)) {
      Processes.awaitUp(muster);
      muster.terminate();
      assertThat(muster.waitFor()).isZero();
    }
    // The second start moves what the first one wrote from the log into tables.
    try (var muster = Processes.up(data)) {
      Processes.awaitUp(muster);
      muster.terminate();
      assertThat(muster.waitFor()).isZero();
    }
    var table = largestTable(data.resolve("store/db"));
    var bytes = Files.readAllBytes(table);
    bytes[bytes.length / 3] ^= 4;
    Files.write(table, bytes);

    try (var muster = Processes.up(data)) {
      assertThat(muster.waitFor()).isEqualTo(1);
      assertThat(muster.output()).noneMatch(OperatorMessagesTest::isOfAStackTrace);
      assertThat(muster.output().getLast())
          .startsWith("muster up: the database in " + data.resolve("store/db") + " is damaged: ")
          .contains(table.getFileName().toString());
    }
  }

  @Test
  @NeedsProgram("unshare")
  @NeedsProgram("mount")
  void onAFullDiskItDoesNotSayThatItIsUp() throws Exception {
    var data = Files.createDirectory(folder.resolve("data"));
    var start = new ArrayList<>(List.of("unshare", "-m", "-U", "-r", "sh", "-c"));
    assumeThat(new ProcessBuilder(List.of("unshare", "-m", "-U", "-r", "true")).start().waitFor())
        .isZero();
    start.add("mount -t tmpfs -o size=40m none \"$0\" && exec \"$@\"");
    start.add(data.toString());
    start.addAll(
        MusterCommand.of(
            "up",
            "--port=0",
            "--servers=1",
            "--data=" + data,
            "--",
            "--bind-address=127.0.0.1",
            "--storage-initialization-timeout=3s"));
    try (var muster = ChildProcess.start(start)) {
      var seen = Processes.awaitUp(muster);
      assertThat(seen).noneMatch(line -> line.startsWith("Muster is up"));
      assertThat(seen)
          .anyMatch(
              line ->
                  line.matches(
                      "Muster runs, but is not ready: the disk of the data folder is full, and only"
                          + " deletes are taken: [0-9.]+ MiB are free, 64 MiB are needed: .*"));
      assertThat(seen).noneMatch(OperatorMessagesTest::isOfAStackTrace);
      muster.terminate();
      assertThat(muster.waitFor()).isZero();
    }
  }

  private static boolean isOfAStackTrace(String line) {
    return line.startsWith("\tat ")
        || line.startsWith("Caused by:")
        || line.startsWith("Exception in thread");
  }

  private static Path largestTable(Path database) throws IOException {
    Path largest = null;
    try (var files = Files.list(database)) {
      for (var file : files.toList()) {
        if (file.toString().endsWith(".sst")
            && (largest == null || Files.size(file) > Files.size(largest))) {
          largest = file;
        }
      }
    }
    if (largest == null) {
      throw new AssertionError("no tables in " + database);
    }
    return largest;
  }
}
