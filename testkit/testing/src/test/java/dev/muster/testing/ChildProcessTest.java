package dev.muster.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class ChildProcessTest {
  private static final String POLITE =
      "trap 'echo bye; exit 3' TERM; echo ready; while :; do sleep 0.05; done";

  @Test
  void whatAProcessSaysWhenItIsAskedToEndIsRead() throws Exception {
    try (var process = ChildProcess.start(List.of("sh", "-c", POLITE))) {
      assertThat(process.nextLine()).isEqualTo("ready");
      process.terminate();
      assertThat(process.nextLine()).isEqualTo("bye");
      assertThat(process.waitFor()).isEqualTo(3);
    }
  }

  @Test
  void aProcessIsPausedAndGoesOn() throws Exception {
    try (var process = ChildProcess.start(List.of("sh", "-c", POLITE))) {
      assertThat(process.nextLine()).isEqualTo("ready");
      process.pause();
      await().until(() -> state(process) == 'T');
      process.resume();
      await().until(() -> state(process) != 'T');
    }
  }

  /** As the kernel tells it: {@code T} when it is stopped. */
  private static char state(ChildProcess process) throws IOException {
    var stat = Files.readString(Path.of("/proc/" + process.pid() + "/stat"));
    return stat.charAt(stat.lastIndexOf(')') + 2);
  }
}
