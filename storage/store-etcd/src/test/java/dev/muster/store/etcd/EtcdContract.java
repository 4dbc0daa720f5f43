package dev.muster.store.etcd;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.store.Store;
import dev.muster.testing.EtcdCluster;
import dev.muster.testing.StoreContract;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The contract on a cluster that all tests of a class share, each behind a prefix of its own. */
abstract class EtcdContract implements StoreContract {
  private static final AtomicInteger PREFIXES = new AtomicInteger();

  private final String prefix = "/registry" + PREFIXES.incrementAndGet();
  private EtcdStore store;

  abstract EtcdCluster cluster();

  EtcdOptions options() {
    return EtcdOptions.at(cluster().endpoints());
  }

  @BeforeEach
  final void open() {
    store = EtcdStore.open(options().withPrefix(prefix).withCompactionInterval(Duration.ZERO));
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
  final void closeStore() {
    store.close();
  }

  @Test
  void saysHowManyBytesItTakes() {
    assertThat(store.databaseBytes().join().orElse(0)).isPositive();
  }
}
