package dev.muster.store.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.muster.testing.ChildProcess;
import dev.muster.testing.NeedsProgram;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A disk that fails and a disk that is full, both real: a tracer that breaks flushes, a tmpfs. */
@Tag("slow")
class DiskFaultTest {
  @TempDir Path folder;

  @Test
  @NeedsProgram("strace")
  void aFailedFlushIsNeverAcknowledgedAndStopsWriting() throws Exception {
    assumeAllowed("strace", "-o", "/dev/null", "true");
    var command =
        new ArrayList<>(
            List.of(
                "strace",
                "-f",
                "-qq",
                "-o",
                "/dev/null",
                "-e",
                "trace=fdatasync",
                "-e",
                "inject=fdatasync:error=EIO:when=20+"));
    command.addAll(ChildProcess.java(FaultyDiskChild.class, "failing", folder.toString()));
    try (var child = ChildProcess.start(command)) {
      assertThat(child.waitFor()).as(() -> child.output().toString()).isZero();
      assertThat(child.output()).contains("one in doubt, all later refused, reads go on");
      var acknowledged = child.output().stream().filter(line -> line.startsWith("ack ")).count();
      assertThat(acknowledged).isBetween(1L, 20L);
      try (var store = EmbeddedStore.open(EmbeddedOptions.in(folder))) {
        assertThat(store.readIndex().join()).isBetween(acknowledged, acknowledged + 1);
      }
    }
  }

  @Test
  @NeedsProgram("unshare")
  @NeedsProgram("mount")
  void aFullDiskRefusesCommitsAndRecoversWithSpace() throws Exception {
    fillTheDisk(0);
  }

  @Test
  @NeedsProgram("unshare")
  @NeedsProgram("mount")
  void spaceKeptFreeIsNotUsedForCommits() throws Exception {
    fillTheDisk(8 << 20);
  }

  @Test
  void deletesGoOnWhenOthersHaveFilledTheDisk() throws Exception {
    onASmallDisk(
        "deletes went on while others had filled the disk", "filled by others", folder.toString());
  }

  @Test
  void aDeleteWaitsForAMomentWithSpace() throws Exception {
    onASmallDisk("the delete waited for space", "without a byte", folder.toString());
  }

  @Test
  void deletesMakeRoomOnADiskThatTheStoreHasFilled() throws Exception {
    onADisk("300m", "deletes made room", "filled by itself", folder.toString());
  }

  private void fillTheDisk(long minFreeBytes) throws Exception {
    onASmallDisk(
        "refused when full, recovered, nothing lost",
        "full",
        folder.toString(),
        Long.toString(minFreeBytes));
  }

  private void onASmallDisk(String last, String... arguments) throws Exception {
    onADisk("100m", last, arguments);
  }

  private void onADisk(String size, String last, String... arguments) throws Exception {
    assumeAllowed("unshare", "-m", "-U", "-r", "mount", "-t", "tmpfs", "none", folder.toString());
    var java = ChildProcess.java(FaultyDiskChild.class, arguments);
    var script = "mount -t tmpfs -o size=" + size + " none \"$0\" && exec \"$@\"";
    var command =
        new ArrayList<>(
            List.of("unshare", "-m", "-U", "-r", "sh", "-c", script, folder.toString()));
    command.addAll(java);
    try (var child = ChildProcess.start(command)) {
      assertThat(child.waitFor()).as(() -> child.output().toString()).isZero();
      assertThat(child.output()).contains(last);
    }
    try (var left = Files.list(folder)) {
      assertThat(left).isEmpty();
    }
  }

  private static void assumeAllowed(String... command) throws IOException, InterruptedException {
    assumeTrue(new ProcessBuilder(command).start().waitFor() == 0, command[0] + " is not allowed");
  }
}
