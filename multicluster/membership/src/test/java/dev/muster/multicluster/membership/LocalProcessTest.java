package dev.muster.multicluster.membership;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class LocalProcessTest {
  @BeforeAll
  static void onlyWhereTheKernelTells() {
    assumeTrue(Files.isReadable(Path.of("/proc/sys/kernel/random/boot_id")));
  }

  @Test
  void aProcessThatRunsIsNotGone() {
    var self = LocalProcess.holder("operator");
    assertThat(self).startsWith("operator-").contains("." + ProcessHandle.current().pid() + ".");
    assertThat(LocalProcess.isGone(self)).isFalse();
  }

  @Test
  void aProcessThatWasKilledIsGone() throws Exception {
    var process = new ProcessBuilder("sleep", "60").start();
    var holder = ofProcess(process.pid());
    assertThat(LocalProcess.isGone(holder)).isFalse();
    process.destroyForcibly().waitFor();
    assertThat(LocalProcess.isGone(holder)).isTrue();
  }

  /** A process number says nothing where it is not known to be of this machine. */
  @Test
  void aProcessOfAnotherMachineMayLive() throws Exception {
    var process = new ProcessBuilder("true").start();
    process.waitFor();
    var gone = ofProcess(process.pid());
    assertThat(LocalProcess.isGone(gone)).isTrue();
    assertThat(LocalProcess.isGone(gone.replaceFirst("operator-.", "operator-z"))).isFalse();
    assertThat(LocalProcess.isGone("operator-6c2a3c8e-6b3c-4d52-8f3e-a0a40b2b8c55")).isFalse();
    assertThat(LocalProcess.isGone("")).isFalse();
    assertThat(LocalProcess.isGone(gone.replaceFirst("\\.[0-9]+\\.", ".x."))).isFalse();
  }

  private static String ofProcess(long pid) {
    return LocalProcess.holder("operator").replaceFirst("\\.[0-9]+\\.", "." + pid + ".");
  }
}
