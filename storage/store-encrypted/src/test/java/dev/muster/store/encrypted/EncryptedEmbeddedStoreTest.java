package dev.muster.store.encrypted;

import dev.muster.store.Store;
import dev.muster.store.embedded.EmbeddedOptions;
import dev.muster.store.embedded.EmbeddedStore;
import dev.muster.testing.StoreContract;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** The contract holds for a store on disk whose values are all encrypted. */
class EncryptedEmbeddedStoreTest implements StoreContract {
  @TempDir Path folder;
  private Encryption encryption;
  private Store store;

  @BeforeEach
  void open() {
    var file = folder.resolve("encryption.yaml");
    EncryptionFiles.write(
        file, EncryptionFiles.configuration("'*.*'", EncryptionFiles.keyed("secretbox", "one")));
    encryption = EncryptionFiles.start(file);
    store =
        new EncryptedStore(
            EmbeddedStore.open(EmbeddedOptions.in(folder.resolve("store"))),
            encryption,
            EncryptionFiles.FIRST_WORD);
  }

  @Override
  public Store store() {
    return store;
  }

  @Override
  public void reopen() {
    close();
    open();
  }

  @AfterEach
  void close() {
    store.close();
    encryption.close();
  }
}
