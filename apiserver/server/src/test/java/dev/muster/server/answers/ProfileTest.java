package dev.muster.server.answers;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Executors;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Recordings of what a server does. */
@Tag("slow")
class ProfileTest {
  private static final String PATH = "/debug/jfr/profile?seconds=";

  @TempDir private Path folder;

  @Test
  void whoMayGetsARecordingOneAtATime() throws Exception {
    try (var server = RunningServer.start(folder);
        var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var first = threads.submit(() -> server.get(PATH + "2"));
      var second = threads.submit(() -> server.get(PATH + "2"));
      var codes = new int[] {first.get().code(), second.get().code()};
      assertThat(codes).containsExactlyInAnyOrder(200, 429);
      var recorded = first.get().code() == 200 ? first.get() : second.get();
      var file = Files.write(folder.resolve("r.jfr"), recorded.body());
      assertThat(RecordingFile.readAllEvents(file)).isNotEmpty();
      assertThat(server.get(PATH + "1").code()).as("the place is free again").isEqualTo(200);
    }
  }

  @Test
  void refusesOtherLengthsAndOtherUsers() throws Exception {
    try (var server = RunningServer.start(folder)) {
      for (var seconds : new String[] {"0", "61", "-1", "x", "99999999999"}) {
        assertThat(server.get(PATH + seconds).code()).as(seconds).isEqualTo(400);
      }
      assertThat(server.as("jane", "GET", PATH + "1", "").get().statusCode()).isEqualTo(403);
    }
  }

  @Test
  void canBeSwitchedOff() throws Exception {
    try (var server =
        RunningServer.start(
            folder, options -> options.withApi(options.api().withProfiling(false)))) {
      assertThat(server.get(PATH + "1").code()).isEqualTo(404);
    }
  }
}
