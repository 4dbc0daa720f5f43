package dev.muster.testing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.store.CommitResult;
import dev.muster.store.Operation;
import dev.muster.store.Transaction;
import java.util.ArrayList;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The contract for a hundred thousand keys: write, read an image, reopen. */
public interface ScaleContract extends StoreFixture {

  @Test
  @Tag("slow")
  default void imagesAHundredThousandKeys() {
    var keys = 100_000;
    var perTransaction = 100;
    var pending = new ArrayList<CompletableFuture<CommitResult>>();
    for (var start = 0; start < keys; start += perTransaction) {
      var operations = new ArrayList<Operation>();
      for (var i = start; i < start + perTransaction; i++) {
        operations.add(create("/configmaps/default/name-%06d".formatted(i), "value of " + i));
      }
      pending.add(store().commit(new Transaction(operations)));
      if (pending.size() >= 64) {
        pending.forEach(StoreFixture::await);
        pending.clear();
      }
    }
    pending.forEach(StoreFixture::await);
    assertWhole(keys);
    if (durable()) {
      reopen();
      assertWhole(keys);
    }
  }

  private void assertWhole(int keys) {
    var i = 0;
    try (var image = store().image()) {
      for (var entry : image) {
        assertThat(entry.key()).isEqualTo("/configmaps/default/name-%06d".formatted(i));
        assertThat(StoreFixture.text(entry.value())).isEqualTo("value of " + i);
        i++;
      }
    }
    assertThat(i).isEqualTo(keys);
  }
}
