package dev.muster.store.embedded;

import dev.muster.store.Operation;
import dev.muster.store.Store;
import dev.muster.store.Transaction;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The process that tests kill: commits in several threads without an end and prints {@code ack key
 * revision} for each acknowledgement. With {@code --too-early} it has the bug that the durability
 * check must find: it prints before the commit is made durable.
 */
final class CommittingChild {
  private static final int THREADS = 4;

  private CommittingChild() {}

  public static void main(String[] arguments) {
    var store = EmbeddedStore.open(EmbeddedOptions.in(Path.of(arguments[0])));
    var tooEarly = arguments.length > 1 && arguments[1].equals("--too-early");
    var run = Long.toHexString(System.nanoTime());
    var number = new AtomicLong();
    for (var i = 0; i < THREADS; i++) {
      Thread.ofPlatform().start(() -> commitForEver(store, run, number, tooEarly));
    }
  }

  private static void commitForEver(Store store, String run, AtomicLong number, boolean tooEarly) {
    while (true) {
      var key = "/key/" + run + "/" + number.incrementAndGet();
      var value = ("value of " + key).repeat(10).getBytes(StandardCharsets.UTF_8);
      if (tooEarly) {
        System.out.println("ack " + key + " 0");
      }
      var result =
          store.commit(Transaction.of(new Operation.Put(key, value, Operation.ABSENT))).join();
      if (!tooEarly) {
        System.out.println("ack " + key + " " + result);
      }
    }
  }
}
