package dev.muster.store.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.store.CommitResult;
import dev.muster.store.Operation;
import dev.muster.store.StoreException;
import dev.muster.store.Transaction;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Comparator;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A torn last write is dropped; every other damage is noticed, and damaged data never served. */
class DamageTest {
  private static final int COMMITS = 200;

  @TempDir Path folder;

  @BeforeEach
  void fill() {
    try (var store = open()) {
      for (var i = 0; i < COMMITS; i++) {
        var value = ("value " + i + " ").repeat(40).getBytes(StandardCharsets.UTF_8);
        store.commit(Transaction.of(new Operation.Put("/key" + i, value, Operation.ABSENT))).join();
      }
    }
  }

  @Test
  void dropsATornLastWrite() throws IOException {
    damage("log", bytes -> Arrays.copyOf(bytes, bytes.length - 100));
    try (var store = open();
        var image = store.image()) {
      assertThat(image).hasSize(COMMITS - 1);
      assertThat(image.revision()).isEqualTo(COMMITS - 1);
      assertThat(
              store
                  .commit(Transaction.of(new Operation.Put("/new", new byte[0], Operation.ABSENT)))
                  .join())
          .isEqualTo(new CommitResult.Committed(COMMITS));
    }
  }

  @Test
  void refusesAFlippedBitInTheWriteAheadLogAndLeavesTheFolderUntouched() throws IOException {
    damage("log", bytes -> flip(bytes, bytes.length / 2));
    var before = DataFolderTest.contents(folder);
    assertThatThrownBy(this::open)
        .isInstanceOf(StoreException.Unusable.class)
        .hasMessageContaining(folder.toString());
    assertThat(DataFolderTest.contents(folder)).isEqualTo(before);
  }

  @Test
  void neverServesAFlippedBitInATable() throws IOException {
    open().close();
    damage("sst", bytes -> flip(bytes, bytes.length / 3));
    assertThatThrownBy(
            () -> {
              try (var store = open();
                  var feed = store.follow(0);
                  var image = store.image()) {
                image.forEach(entry -> {});
                feed.take(Duration.ZERO);
              }
            })
        .isInstanceOf(StoreException.Unusable.class);
  }

  @Test
  void refusesAMissingTable() throws IOException {
    open().close();
    Files.delete(largest("sst"));
    assertThatThrownBy(this::open).isInstanceOf(StoreException.Unusable.class);
  }

  @Test
  void refusesADamagedManifest() throws IOException {
    damage("MANIFEST", bytes -> flip(bytes, bytes.length / 2));
    assertThatThrownBy(this::open).isInstanceOf(StoreException.Unusable.class);
  }

  @Test
  void refusesTablesWithoutTheirIndex() throws IOException {
    Files.delete(folder.resolve("db/CURRENT"));
    var before = DataFolderTest.contents(folder);
    assertThatThrownBy(this::open).isInstanceOf(StoreException.Unusable.class);
    assertThat(DataFolderTest.contents(folder)).isEqualTo(before);
  }

  private EmbeddedStore open() {
    return EmbeddedStore.open(EmbeddedOptions.in(folder));
  }

  private static byte[] flip(byte[] bytes, int position) {
    bytes[position] ^= 4;
    return bytes;
  }

  private void damage(String kind, UnaryOperator<byte[]> change) throws IOException {
    var file = largest(kind);
    Files.write(file, change.apply(Files.readAllBytes(file)));
  }

  private Path largest(String kind) throws IOException {
    try (var files = Files.list(folder.resolve("db"))) {
      return files
          .filter(
              file -> file.getFileName().toString().matches(".*\\." + kind + "|" + kind + "-.*"))
          .max(Comparator.comparingLong(file -> file.toFile().length()))
          .orElseThrow();
    }
  }
}
