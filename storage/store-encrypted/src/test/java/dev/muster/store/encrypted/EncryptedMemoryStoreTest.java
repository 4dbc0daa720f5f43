package dev.muster.store.encrypted;

import dev.muster.store.MemoryStore;
import dev.muster.store.Store;
import dev.muster.testing.StoreContract;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** The contract holds for a store in memory whose values are all encrypted. */
class EncryptedMemoryStoreTest implements StoreContract {
  @TempDir Path folder;
  private Encryption encryption;
  private Store store;

  @BeforeEach
  void open() {
    var file = folder.resolve("encryption.yaml");
    EncryptionFiles.write(
        file, EncryptionFiles.configuration("'*.*'", EncryptionFiles.keyed("aesgcm", "one")));
    encryption = EncryptionFiles.start(file);
    store = new EncryptedStore(new MemoryStore(), encryption, EncryptionFiles.FIRST_WORD);
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

  @Override
  public boolean durable() {
    return false;
  }

  @AfterEach
  void close() {
    store.close();
    encryption.close();
  }
}
