package dev.muster.store.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.store.Store;
import dev.muster.testing.StoreContract;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EmbeddedStoreTest implements StoreContract {
  @TempDir Path folder;
  private EmbeddedStore store;

  @BeforeEach
  void open() {
    store = EmbeddedStore.open(EmbeddedOptions.in(folder.resolve("store")));
  }

  @Override
  public Store store() {
    return store;
  }

  @Override
  public void reopen() {
    store.close();
    open();
  }

  @AfterEach
  void close() {
    store.close();
  }

  @Test
  void saysHowManyBytesItTakes() {
    assertThat(store.databaseBytes().join().orElse(0)).isPositive();
  }
}
