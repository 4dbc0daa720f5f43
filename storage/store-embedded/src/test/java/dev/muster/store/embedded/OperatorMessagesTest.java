package dev.muster.store.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.muster.store.Operation;
import dev.muster.store.StoreException;
import dev.muster.store.Transaction;
import dev.muster.testing.LogLines;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What an operator reads when the data folder has a problem. */
class OperatorMessagesTest {
  private static final String AMOUNT = "[0-9.]+ [KMGT]iB";

  @TempDir Path parent;

  @Test
  void aFullDiskSaysHowMuchIsThereAndHowMuchIsNeeded() {
    var options = options().withMinFreeBytes(3L << 40 << 10);
    try (var log = LogLines.of("dev.muster.store.embedded");
        var store = EmbeddedStore.open(options)) {
      assertThat(log.all())
          .singleElement()
          .asString()
          .matches(
              "WARN the disk of "
                  + folder()
                  + " is full, only deletes are taken: "
                  + AMOUNT
                  + " are free, 3072 TiB are needed");
      assertThat(store.degradedReason())
          .matches(
              "the disk of the data folder is full, and only deletes are taken: "
                  + AMOUNT
                  + " are free, 3072 TiB are needed");
      assertThatThrownBy(() -> put(store))
          .cause()
          .isInstanceOf(StoreException.Full.class)
          .hasMessageMatching(
              "the disk of "
                  + folder()
                  + " is full \\("
                  + AMOUNT
                  + " are free, 3072 TiB are needed\\): nothing was written");
    }
  }

  @Test
  void amountsAreInUnitsForPeopleAndNeverRoundedUp() {
    assertThat(DiskSpace.text(1023)).isEqualTo("1023 bytes");
    assertThat(DiskSpace.text(1024)).isEqualTo("1 KiB");
    assertThat(DiskSpace.text(46_055_424)).isEqualTo("43.9 MiB");
    assertThat(DiskSpace.text(64 << 20)).isEqualTo("64 MiB");
    assertThat(DiskSpace.text((64 << 20) - 1)).isEqualTo("63.9 MiB");
  }

  @Test
  void aRemovedDataFolderIsCalledThat() throws IOException {
    try (var log = LogLines.of("dev.muster.store.embedded");
        var store = EmbeddedStore.open(options())) {
      put(store);
      delete(folder());
      await().until(() -> !log.all().isEmpty() || isRefused(store));
      var why = "the data folder " + folder() + " was removed or replaced while it was in use";
      assertThatThrownBy(() -> put(store))
          .cause()
          .isInstanceOf(StoreException.Unavailable.class)
          .hasMessage("the store in " + folder() + " stopped: " + why);
      assertThat(store.degradedReason()).isEqualTo("the store in " + folder() + " stopped: " + why);
      assertThat(log.all())
          .containsExactly(
              "ERROR the store in "
                  + folder()
                  + " takes no more writes, reads go on: "
                  + why
                  + "; see to its disk, then restart");
      assertThat(log.withTraces()).isEmpty();
    }
  }

  @Test
  void aDataFolderThatWasReplacedByAnotherIsNotWrittenTo() throws IOException {
    try (var store = EmbeddedStore.open(options())) {
      put(store);
      delete(folder());
      var other = parent.resolve("other");
      EmbeddedStore.open(EmbeddedOptions.in(other).withReserveBytes(0)).close();
      Files.move(other, folder());
      await().until(() -> isRefused(store));
    }
  }

  @Test
  void aDamagedTableIsRefusedBeforeAnythingIsServed() throws IOException {
    try (var store = EmbeddedStore.open(options())) {
      put(store);
    }
    EmbeddedStore.open(options()).close();
    Path table;
    try (var files = Files.list(folder().resolve("db"))) {
      table = files.filter(file -> file.toString().endsWith(".sst")).findFirst().orElseThrow();
    }
    var bytes = Files.readAllBytes(table);
    bytes[2] ^= 4;
    Files.write(table, bytes);

    try (var log = LogLines.of("dev.muster.store.embedded")) {
      assertThatThrownBy(() -> EmbeddedStore.open(options()))
          .isInstanceOf(StoreException.Unusable.class)
          .hasMessageStartingWith("the database in " + folder().resolve("db") + " is damaged: ")
          .hasMessageContaining(table.getFileName().toString())
          .hasMessageNotContaining("\n");
      assertThat(log.all()).isEmpty();
    }
  }

  private EmbeddedOptions options() {
    return EmbeddedOptions.in(folder()).withReserveBytes(0);
  }

  private Path folder() {
    return parent.resolve("data");
  }

  private static void put(EmbeddedStore store) {
    store.commit(Transaction.of(new Operation.Put("/key", new byte[2000], Operation.ANY))).join();
  }

  private static boolean isRefused(EmbeddedStore store) {
    try {
      put(store);
      return false;
    } catch (CompletionException refused) {
      return true;
    }
  }

  private static void delete(Path folder) throws IOException {
    try (var files = Files.walk(folder)) {
      for (var file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
