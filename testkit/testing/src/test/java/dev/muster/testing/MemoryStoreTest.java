package dev.muster.testing;

import dev.muster.store.MemoryStore;
import dev.muster.store.Store;
import org.junit.jupiter.api.AfterEach;

class MemoryStoreTest implements StoreContract {
  private MemoryStore store = new MemoryStore();

  @Override
  public Store store() {
    return store;
  }

  @Override
  public void reopen() {
    store.close();
    store = new MemoryStore();
  }

  @Override
  public boolean durable() {
    return false;
  }

  @AfterEach
  void close() {
    store.close();
  }
}
