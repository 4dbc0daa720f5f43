package dev.muster.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class MemoryStoreClockTest {
  private Instant now = Instant.EPOCH;
  private final InstantSource clock = () -> now;
  private final MemoryStore store = new MemoryStore(clock);

  @Test
  void expiresKeysWhenTheClockSaysSo() {
    put("/short", Duration.ofSeconds(10));
    put("/long", Duration.ofSeconds(20));
    advance(Duration.ofMillis(9_999));
    assertThat(keys()).containsExactly("/long", "/short");
    advance(Duration.ofMillis(1));
    assertThat(keys()).containsExactly("/long");
    advance(Duration.ofSeconds(10));
    assertThat(keys()).isEmpty();
    assertThat(store.readIndex().join()).isEqualTo(4);
  }

  @Test
  void aNewerPutOutlivesTheExpiryOfTheOlder() {
    put("/a", Duration.ofSeconds(10));
    put("/a", Duration.ofSeconds(30));
    advance(Duration.ofSeconds(10));
    assertThat(keys()).containsExactly("/a");
    advance(Duration.ofSeconds(20));
    assertThat(keys()).isEmpty();
  }

  @Test
  void keepsFiveMinutesOfHistory() throws InterruptedException {
    put("/a", null);
    store.tick();
    put("/a", null);
    advance(Duration.ofMinutes(4));
    assertThat(store.compactedRevision()).isZero();
    advance(Duration.ofMinutes(2));
    assertThat(store.compactedRevision()).isEqualTo(1);
    assertThatThrownBy(() -> store.follow(0)).isInstanceOf(StoreException.Compacted.class);
    assertThat(store.follow(1).take(Duration.ZERO)).hasSize(1);
  }

  private void put(String key, @Nullable Duration timeToLive) {
    store.commit(Transaction.of(new Operation.Put(key, new byte[0], Operation.ANY, timeToLive)));
  }

  private void advance(Duration time) {
    now = now.plus(time);
    store.tick();
  }

  private List<String> keys() {
    var keys = new ArrayList<String>();
    store.image().forEach(entry -> keys.add(entry.key()));
    return keys;
  }
}
