package dev.muster.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.MalformedInputException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileProblemsTest {
  private static final Path FILE = Path.of("/a/file");

  @TempDir Path folder;

  @Test
  void saysWhatTheJdkPutsIntoNamesOfClasses() {
    assertThat(FileProblems.text(FILE, new NoSuchFileException("/a")))
        .isEqualTo("/a does not exist");
    assertThat(FileProblems.text(FILE, new AccessDeniedException("/a")))
        .isEqualTo("/a: permission denied");
    assertThat(FileProblems.text(FILE, new FileAlreadyExistsException("/a")))
        .isEqualTo("/a exists already and is not a folder");
    assertThat(FileProblems.text(FILE, new MalformedInputException(1)))
        .isEqualTo("/a/file is not text in UTF-8");
  }

  @Test
  void keepsTheWordsOfTheOperatingSystem() {
    assertThat(
            FileProblems.text(FILE, new FileSystemException("/a", null, "Read-only file system")))
        .isEqualTo("/a: read-only file system");
    assertThat(FileProblems.text(FILE, new IOException("No space left on device")))
        .isEqualTo("/a/file: no space left on device");
    assertThat(FileProblems.text(new IOException("Input/output error")))
        .isEqualTo("input/output error");
    assertThat(FileProblems.text(new IOException())).isEqualTo("cannot be read or written");
  }

  @Test
  void readsWhatWasWrapped() {
    var missing = new NoSuchFileException("/a");
    assertThat(FileProblems.text(new UncheckedIOException(missing))).isEqualTo("/a does not exist");
    assertThat(FileProblems.text(new UncheckedIOException("in words", missing)))
        .isEqualTo("in words");
    assertThat(FileProblems.unchecked(FILE, missing)).hasMessage("/a does not exist");
  }

  @Test
  void namesRealFailures() throws IOException {
    var file = Files.writeString(folder.resolve("file"), "");
    try {
      Files.readString(folder);
    } catch (IOException e) {
      assertThat(FileProblems.text(folder, e)).isEqualTo(folder + " is a folder");
    }
    try {
      Files.readString(file.resolve("below"));
    } catch (IOException e) {
      assertThat(FileProblems.text(file, e))
          .isEqualTo(file.resolve("below") + ": a part of its path is not a folder");
    }
  }
}
