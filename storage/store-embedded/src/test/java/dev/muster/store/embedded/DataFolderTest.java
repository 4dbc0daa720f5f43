package dev.muster.store.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.store.StoreException;
import dev.muster.testing.ChildProcess;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DataFolderTest {
  @TempDir Path folder;

  @Test
  void refusesAFolderWithOtherDataAndLeavesItUntouched() throws IOException {
    Files.writeString(folder.resolve("photos.txt"), "mine");
    assertRefused("holds other data (photos.txt)");
  }

  @Test
  void refusesAnotherFormatAndLeavesItUntouched() throws IOException {
    open().close();
    Files.writeString(folder.resolve(DataFolder.FORMAT_FILE), "muster embedded store, format 7\n");
    assertRefused("has format 7, this version reads format 1");
  }

  @Test
  void refusesAnUnreadableFormatAndLeavesItUntouched() throws IOException {
    open().close();
    Files.writeString(folder.resolve(DataFolder.FORMAT_FILE), "\0\0\0");
    assertRefused("is not an embedded store");
  }

  @Test
  void refusesAFile() throws IOException {
    var file = Files.writeString(folder.resolve("file"), "x");
    assertThatThrownBy(() -> EmbeddedStore.open(EmbeddedOptions.in(file)))
        .isInstanceOf(StoreException.Unusable.class)
        .hasMessageContaining("is not a folder");
  }

  @Test
  void makesAMissingFolder() {
    EmbeddedStore.open(EmbeddedOptions.in(folder.resolve("a/b"))).close();
    assertThat(folder.resolve("a/b").resolve(DataFolder.FORMAT_FILE)).hasContent(DataFolder.FORMAT);
  }

  @Test
  void nobodyElseCanLookIntoTheFolder() throws IOException {
    var made = folder.resolve("made");
    try (var store = EmbeddedStore.open(EmbeddedOptions.in(made))) {
      assertThat(store.readIndex().join()).isZero();
      assertThat(openToOthers(made)).isEmpty();
    }
  }

  @Test
  void aFolderThatWasOpenToOthersIsClosed() throws IOException {
    open().close();
    try (var files = Files.walk(folder)) {
      for (var file : files.toList()) {
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
      }
    }
    try (var store = open()) {
      assertThat(store.readIndex().join()).isZero();
      assertThat(openToOthers(folder)).isEmpty();
    }
  }

  @Test
  void aLinkInTheFolderDoesNotChangeWhatItLeadsTo(@TempDir Path elsewhere) throws IOException {
    open().close();
    var secret = Files.writeString(elsewhere.resolve("shared"), "x");
    Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("rw-r--r--"));
    Files.createSymbolicLink(folder.resolve("db/link"), secret);
    open().close();
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(secret)))
        .isEqualTo("rw-r--r--");
  }

  private static List<Path> openToOthers(Path root) throws IOException {
    try (var files = Files.walk(root)) {
      var open = new ArrayList<Path>();
      for (var file : files.toList()) {
        var mode = PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
        if (!mode.endsWith("------") || (Files.isRegularFile(file) && mode.contains("x"))) {
          open.add(file);
        }
      }
      return open;
    }
  }

  @Test
  void finishesAFolderWhoseMakingWasInterrupted() throws IOException {
    Files.writeString(folder.resolve("LOCK"), "");
    Files.writeString(folder.resolve("FORMAT.new"), "mus");
    open().close();
  }

  @Test
  void refusesASecondStoreOfTheSameProcess() {
    try (var store = open()) {
      assertThatThrownBy(this::open)
          .isInstanceOf(StoreException.Unusable.class)
          .hasMessageContaining(folder.toString())
          .hasMessageContaining("in use");
      assertThat(store.readIndex().join()).isZero();
    }
    open().close();
  }

  @Test
  @Tag("slow")
  void refusesASecondProcess() throws InterruptedException {
    try (var _ = open();
        var second =
            ChildProcess.start(ChildProcess.java(CommittingChild.class, folder.toString()))) {
      assertThat(second.waitFor()).isNotZero();
      assertThat(second.output())
          .anyMatch(line -> line.contains("in use by another store (process "));
    }
  }

  private EmbeddedStore open() {
    return EmbeddedStore.open(EmbeddedOptions.in(folder));
  }

  private void assertRefused(String reason) throws IOException {
    var before = contents(folder);
    assertThatThrownBy(this::open)
        .isInstanceOf(StoreException.Unusable.class)
        .hasMessageContaining(folder.toString())
        .hasMessageContaining(reason);
    assertThat(contents(folder)).isEqualTo(before);
  }

  /** Every file below a folder with its bytes. */
  static Map<String, String> contents(Path folder) throws IOException {
    var contents = new TreeMap<String, String>();
    try (var files = Files.walk(folder)) {
      for (var file : files.filter(Files::isRegularFile).toList()) {
        contents.put(
            folder.relativize(file).toString(),
            new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1));
      }
    }
    return contents;
  }
}
