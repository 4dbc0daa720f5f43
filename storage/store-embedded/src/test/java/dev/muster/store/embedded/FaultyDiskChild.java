package dev.muster.store.embedded;

import dev.muster.store.CommitResult;
import dev.muster.store.Operation;
import dev.muster.store.StoreException;
import dev.muster.store.Transaction;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;

/** The process that runs on a broken or full disk, checks what the store says, and prints it. */
final class FaultyDiskChild {
  private FaultyDiskChild() {}

  public static void main(String[] arguments) throws IOException {
    switch (arguments[0]) {
      case "failing" -> onAFailingDisk(Path.of(arguments[1]));
      case "full" -> onAFullDisk(Path.of(arguments[1]), Long.parseLong(arguments[2]));
      case "filled by others" -> onADiskFilledByOthers(Path.of(arguments[1]));
      case "without a byte" -> onADiskWithoutAByte(Path.of(arguments[1]));
      case "filled by itself" -> onADiskFilledByItself(Path.of(arguments[1]));
      default -> throw new IllegalArgumentException(arguments[0]);
    }
  }

  private static void onAFailingDisk(Path folder) {
    try (var store = EmbeddedStore.open(EmbeddedOptions.in(folder))) {
      var acknowledged = 0;
      var result = put(store, "/key", 100);
      while (result instanceof CommitResult.Committed(var revision)) {
        System.out.println("ack " + revision);
        acknowledged++;
        result = put(store, "/key", 100);
      }
      check(result instanceof CommitResult.Unknown, "the failed flush was answered " + result);
      for (var i = 0; i < 5; i++) {
        check(isRefused(store), "a commit after the failed flush was taken");
      }
      check(store.readIndex().join() == acknowledged, "the read index counts a failed flush");
      try (var image = store.image()) {
        check(image.iterator().next().modRevision() == acknowledged, "a failed flush is served");
      }
    }
    System.out.println("one in doubt, all later refused, reads go on");
  }

  private static void onAFullDisk(Path mount, long minFreeBytes) throws IOException {
    var ballast = Files.write(mount.resolve("ballast"), new byte[40 << 20]);
    var options = EmbeddedOptions.in(mount.resolve("store")).withMinFreeBytes(minFreeBytes);
    var acknowledged = 0;
    try (var store = EmbeddedStore.open(options)) {
      // A flush that fails gives its file back, and with it room for some more commits.
      for (int refused = 0; refused < 20; ) {
        try {
          put(store, "/key" + acknowledged, 100_000);
          acknowledged++;
          refused = 0;
        } catch (StoreException.Full | StoreException.Unavailable e) {
          System.out.println("after " + acknowledged + " commits: " + e.getMessage());
          refused++;
          LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
        }
      }
      check(isRefused(store), "a commit was taken on a full disk");
      check(count(store) == acknowledged, "reads do not go on");
      Files.delete(ballast);
      var deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(40);
      while (isRefused(store)) {
        check(System.nanoTime() < deadline, "no recovery");
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(100));
      }
    }
    try (var store = EmbeddedStore.open(options)) {
      check(count(store) == acknowledged + 1, "something is missing");
    }
    System.out.println("refused when full, recovered, nothing lost");
  }

  private static void onADiskFilledByOthers(Path mount) throws IOException {
    var options =
        EmbeddedOptions.in(mount.resolve("store"))
            .withMinFreeBytes(8 << 20)
            .withReserveBytes(8 << 20);
    var ahead = new AtomicLong();
    try (var store = EmbeddedStore.open(options, () -> Instant.now().plusMillis(ahead.get()))) {
      for (var i = 0; i < 200; i++) {
        put(store, "/key" + i, 10_000);
      }
      ahead.set(20_000);
      var reserve = mount.resolve("store").resolve(ReserveFile.NAME);
      await("a reserve", () -> reserve.toFile().length() == 8 << 20);
      var others = fill(mount.resolve("others"));
      ahead.addAndGet(1_000); // past the moment for which the last look at the disk counts
      // Looking at the disk releases the reserve: there is room now, and not for this.
      check(isRefused(store), "what the reserve gave was taken for more than deletes");
      check(!Files.exists(reserve), "the reserve is still there");
      await("words about it", () -> !store.degradedReason().isEmpty());
      for (var i = 0; i < 200; i++) {
        store.commit(Transaction.of(new Operation.Delete("/key" + i, Operation.ANY))).join();
      }
      check(count(store) == 0, "something was not deleted");
      Files.delete(others);
      await("room", () -> !isRefused(store));
      await("no trouble", () -> store.degradedReason().isEmpty());
      ahead.set(60_000);
      await("a new reserve", () -> reserve.toFile().length() == 8 << 20);
    }
    System.out.println("deletes went on while others had filled the disk");
  }

  private static void onADiskWithoutAByte(Path mount) throws IOException {
    var options =
        EmbeddedOptions.in(mount.resolve("store")).withReserveBytes(0).withMinFreeBytes(0);
    try (var store = EmbeddedStore.open(options)) {
      // Long names, because the database writes ahead into some space that it took before.
      var keys = IntStream.range(0, 12).mapToObj(i -> "/" + i + "x".repeat(1 << 20)).toList();
      keys.forEach(key -> put(store, key, 10));
      var others = fill(mount.resolve("others"));
      var deletes =
          keys.stream()
              .map(key -> store.commit(Transaction.of(new Operation.Delete(key, Operation.ANY))))
              .toList();
      // Answered when what came before it was tried.
      try {
        store.compact(1);
      } catch (StoreException.Full _) {
        // There is no space for that either.
      }
      check(!deletes.stream().allMatch(CompletableFuture::isDone), "given up, or there was space");
      Files.delete(others);
      deletes.forEach(CompletableFuture::join);
      check(count(store) == 0, "something was not deleted");
    }
    System.out.println("the delete waited for space");
  }

  private static void onADiskFilledByItself(Path mount) {
    var options = EmbeddedOptions.in(mount.resolve("store")).withHistory(Duration.ofMillis(500));
    try (var store = EmbeddedStore.open(options)) {
      var count = 0;
      try {
        while (true) {
          put(store, "/key" + count, 100_000);
          count++;
        }
      } catch (StoreException.Full | StoreException.Unavailable e) {
        System.out.println("after " + count + " commits: " + e.getMessage());
      }
      for (var i = 0; i < count; i++) {
        store.commit(Transaction.of(new Operation.Delete("/key" + i, Operation.ANY))).join();
      }
      await("room", () -> !isRefused(store));
    }
    System.out.println("deletes made room");
  }

  /** Takes whatever the disk has left. */
  private static Path fill(Path file) throws IOException {
    try (var out = Files.newOutputStream(file)) {
      var piece = new byte[64 << 10];
      while (true) {
        out.write(piece);
      }
    } catch (IOException e) {
      return file;
    }
  }

  private static void await(String what, BooleanSupplier condition) {
    var deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(45);
    while (!condition.getAsBoolean()) {
      check(System.nanoTime() < deadline, "no " + what);
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
    }
  }

  private static boolean isRefused(EmbeddedStore store) {
    try {
      put(store, "/more", 100);
      return false;
    } catch (StoreException.Full | StoreException.Unavailable _) {
      return true;
    }
  }

  private static CommitResult put(EmbeddedStore store, String key, int bytes) {
    var value = new byte[bytes];
    new Random(key.hashCode()).nextBytes(value);
    try {
      return store.commit(Transaction.of(new Operation.Put(key, value, Operation.ANY))).join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof StoreException failure) {
        throw failure;
      }
      throw e;
    }
  }

  private static int count(EmbeddedStore store) {
    var count = 0;
    try (var image = store.image()) {
      for (var _ : image) {
        count++;
      }
    }
    return count;
  }

  private static void check(boolean condition, String failure) {
    if (!condition) {
      throw new IllegalStateException(failure);
    }
  }
}
