package dev.muster.server.routes;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a recording tells its reader, and what it keeps to itself. */
@Tag("slow")
class FlightRecordingTest {
  private static final String SEED = "s3cr3t-seed-of-";

  @TempDir private Path folder;

  /** Another process, which is recorded while a recording of its operator runs that has it all. */
  static final class Recorded {
    private Recorded() {}

    public static void main(String[] arguments) throws Exception {
      var neighbour = new ProcessBuilder("sleep", "60").start();
      try {
        System.setProperty("set.later", SEED + "properties");
        Files.write(
            Path.of(arguments[0]), FlightRecording.of(Duration.ofMillis(1200), () -> false));
      } finally {
        neighbour.destroyForcibly().waitFor();
      }
    }
  }

  @Test
  void holdsNoSecretsOfTheEnvironmentPropertiesAndCommandLines() throws Exception {
    var file = folder.resolve("recorded.jfr");
    var whole = folder.resolve("whole.jfr");
    var command =
        new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:StartFlightRecording:settings=profile,filename=" + whole,
            "-Dpassword=" + SEED + "properties",
            "-XX:OnOutOfMemoryError=echo " + SEED + "flags",
            "-cp",
            System.getProperty("java.class.path"),
            Recorded.class.getName(),
            file.toString(),
            SEED + "arguments");
    command.environment().put("TOKEN", SEED + "environment");
    command.redirectErrorStream(true).redirectOutput(folder.resolve("out").toFile());
    assertThat(command.start().waitFor()).as(Files.readString(folder.resolve("out"))).isZero();

    assertThat(texts(whole))
        .as("what a recording has that nobody has cleaned")
        .contains(SEED + "environment", SEED + "properties", SEED + "arguments", SEED + "flags")
        .contains("sleep 60");
    assertThat(texts(file)).doesNotContain(SEED).doesNotContain("sleep 60");
    assertThat(new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1))
        .as("what is between the events")
        .doesNotContain(SEED);
    var names =
        RecordingFile.readAllEvents(file).stream()
            .map(event -> event.getEventType().getName())
            .collect(Collectors.toSet());
    assertThat(names)
        .as("what a profile is for")
        .contains("jdk.CPULoad", "jdk.GCConfiguration", "jdk.ExceptionStatistics")
        .doesNotContainAnyElementsOf(
            List.of(
                "jdk.InitialEnvironmentVariable",
                "jdk.InitialSystemProperty",
                "jdk.InitialSecurityProperty",
                "jdk.JVMInformation",
                "jdk.JavaExceptionThrow",
                "jdk.JavaErrorThrow",
                "jdk.ProcessStart",
                "jdk.StringFlag",
                "jdk.SystemProcess"));
  }

  private static String texts(Path file) throws Exception {
    return RecordingFile.readAllEvents(file).stream()
        .map(Object::toString)
        .collect(Collectors.joining("\n"));
  }
}
