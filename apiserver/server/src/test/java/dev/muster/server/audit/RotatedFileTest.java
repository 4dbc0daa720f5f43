package dev.muster.server.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files that are full, and what becomes of them. */
class RotatedFileTest {
  private static final Clock NOON =
      Clock.fixed(Instant.parse("2026-01-02T12:00:00.123Z"), ZoneOffset.UTC);

  @TempDir Path directory;

  private LogRetention old(int most, int days, boolean compress) {
    return new LogRetention(
        directory.resolve("audit.log"), most, days, compress, NOON, Runnable::run);
  }

  private RotatedFile file(LogRetention old) throws IOException {
    return new RotatedFile(directory.resolve("audit.log"), 10, old, NOON);
  }

  private static void write(RotatedFile file, String text) throws IOException {
    var bytes = text.getBytes(StandardCharsets.UTF_8);
    file.write(bytes, 0, bytes.length);
  }

  private List<String> names() throws IOException {
    try (var files = Files.list(directory)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  @Test
  void aFullFileGetsItsTimeIntoItsName() throws IOException {
    var file = file(old(0, 0, false));
    write(file, "123456\n");
    write(file, "12\n");
    assertThat(names()).containsExactly("audit.log");
    write(file, "3\n");
    write(file, "123456789\n");
    file.close();
    assertThat(names())
        .containsExactly(
            "audit-2026-01-02T12-00-00.123.log", "audit-2026-01-02T12-00-00.124.log", "audit.log");
    assertThat(directory.resolve("audit-2026-01-02T12-00-00.123.log")).hasContent("123456\n12\n");
    assertThat(directory.resolve("audit.log")).hasContent("123456789\n");
  }

  @Test
  void onlyItsOwnerReadsIt() throws IOException {
    file(old(0, 0, false)).close();
    assertThat(Files.getPosixFilePermissions(directory.resolve("audit.log")))
        .isEqualTo(PosixFilePermissions.fromString("rw-------"));
  }

  @Test
  void aFileThatIsThereIsGoneOnWith() throws IOException {
    Files.writeString(directory.resolve("audit.log"), "12345\n");
    var file = file(old(0, 0, false));
    assertThat(file.room()).isEqualTo(4);
    write(file, "123\n");
    assertThat(names()).containsExactly("audit.log");
    write(file, "1\n");
    assertThat(names()).hasSize(2);
  }

  @Test
  void serversOfOneProcessMayShareAFile() throws IOException {
    var one = file(old(0, 0, false));
    var other = file(old(0, 0, false));
    write(one, "12345\n");
    write(other, "678\n");
    write(one, "9\n");
    write(other, "0\n");
    assertThat(directory.resolve("audit-2026-01-02T12-00-00.123.log")).hasContent("12345\n678\n");
    assertThat(directory.resolve("audit.log")).hasContent("9\n0\n");
  }

  @Test
  void aFileThatSomebodyMovesAwayIsBegunAnew() throws IOException {
    var file = file(old(0, 0, false));
    write(file, "12\n");
    Files.move(directory.resolve("audit.log"), directory.resolve("moved"));
    write(file, "34\n");
    assertThat(directory.resolve("moved")).hasContent("12\n");
    assertThat(directory.resolve("audit.log")).hasContent("34\n");
  }

  @Test
  void whatIsLargerThanAFileIsRefused() throws IOException {
    var file = file(old(0, 0, false));
    assertThatThrownBy(() -> write(file, "12345678901\n"))
        .hasMessage("write length 12 exceeds maximum file size 10");
  }

  @Test
  void theOldestOfTooManyGoAndThoseThatAreTooOld() throws IOException {
    for (var name :
        List.of(
            "audit-2026-01-02T11-00-00.000.log",
            "audit-2026-01-02T10-00-00.000.log.gz",
            "audit-2026-01-02T09-00-00.000.log",
            "audit-2025-12-01T09-00-00.000.log",
            "audit-notatime.log",
            "other-2025-12-01T09-00-00.000.log")) {
      Files.writeString(directory.resolve(name), "x");
    }
    old(0, 30, false).tidyNow();
    assertThat(names()).hasSize(5).doesNotContain("audit-2025-12-01T09-00-00.000.log");
    old(2, 0, false).tidyNow();
    assertThat(names())
        .containsExactly(
            "audit-2026-01-02T10-00-00.000.log.gz",
            "audit-2026-01-02T11-00-00.000.log",
            "audit-notatime.log",
            "other-2025-12-01T09-00-00.000.log");
  }

  @Test
  void oldFilesAreCompressed() throws IOException {
    var file = file(old(0, 0, true));
    write(file, "123456789\n");
    write(file, "1\n");
    file.close();
    assertThat(names()).containsExactly("audit-2026-01-02T12-00-00.123.log.gz", "audit.log");
    try (var in =
        new GZIPInputStream(
            Files.newInputStream(directory.resolve("audit-2026-01-02T12-00-00.123.log.gz")))) {
      assertThat(in.readAllBytes()).asString(StandardCharsets.UTF_8).isEqualTo("123456789\n");
    }
  }
}
