package dev.muster.store.encrypted;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.muster.store.Entry;
import dev.muster.store.MemoryStore;
import dev.muster.store.Operation;
import dev.muster.store.Store;
import dev.muster.store.Transaction;
import dev.muster.store.encrypted.transform.Mutations;
import dev.muster.testing.StoreFixture;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Keys come and go; what was written with those that are still there stays readable. */
@Timeout(120)
class RotationTest {
  @TempDir Path folder;
  private final MemoryStore below = new MemoryStore();

  private Path file() {
    return folder.resolve("encryption.yaml");
  }

  private Store open(String... providers) {
    EncryptionFiles.write(file(), EncryptionFiles.configuration("secrets", providers));
    return store(EncryptionFiles.start(file()));
  }

  private Store store(Encryption encryption) {
    return new EncryptedStore(below, encryption, EncryptionFiles.FIRST_WORD);
  }

  private static void put(Store store, String key, String value) {
    var operation = new Operation.Put(key, StoreFixture.bytes(value), Operation.ANY);
    StoreFixture.await(store.commit(Transaction.of(operation)));
  }

  private static Map<String, Entry> entries(Store store) {
    var entries = new TreeMap<String, Entry>();
    try (var image = store.image()) {
      image.forEach(entry -> entries.put(entry.key(), entry));
    }
    return entries;
  }

  private String stored(String key) {
    return EncryptionFiles.stored(below, key);
  }

  private static boolean isStale(Store store, String key) {
    return store.needsRewrite(key, EncryptionFiles.entry(store, key).sealing());
  }

  @Test
  void everyStepFromTheClearToANewKeyAndBack() {
    var clear = open(EncryptionFiles.IDENTITY);
    put(clear, "/secrets/a/plain", "first");
    assertThat(stored("/secrets/a/plain")).isEqualTo("first");

    var one = open(EncryptionFiles.keyed("aescbc", "one"), EncryptionFiles.IDENTITY);
    put(one, "/secrets/a/cbc", "second");
    assertThat(stored("/secrets/a/cbc")).startsWith("k8s:enc:aescbc:v1:one:");
    assertThat(isStale(one, "/secrets/a/plain")).isTrue();
    assertThat(isStale(one, "/secrets/a/cbc")).isFalse();

    var two =
        open(
            EncryptionFiles.keyed("secretbox", "two"),
            EncryptionFiles.keyed("aescbc", "one"),
            EncryptionFiles.IDENTITY);
    put(two, "/secrets/a/box", "third");
    assertThat(stored("/secrets/a/box")).startsWith("k8s:enc:secretbox:v1:two:");
    assertThat(entries(two).values()).noneMatch(entry -> entry.sealing().isClosed());
    assertThat(isStale(two, "/secrets/a/cbc")).isTrue();

    var back =
        open(
            EncryptionFiles.IDENTITY,
            EncryptionFiles.keyed("secretbox", "two"),
            EncryptionFiles.keyed("aescbc", "one"));
    assertThat(isStale(back, "/secrets/a/plain")).isFalse();
    assertThat(isStale(back, "/secrets/a/box")).isTrue();
    put(back, "/secrets/a/box", "third");
    assertThat(stored("/secrets/a/box")).isEqualTo("third");
  }

  @Test
  void theFirstKeyOfAProviderWritesAndAllRead() {
    var one = open(EncryptionFiles.keyed("aesgcm", "one"));
    put(one, "/secrets/a/x", "value");
    var both = open(EncryptionFiles.keyed("aesgcm", "two", "one"));
    assertThat(isStale(both, "/secrets/a/x")).isTrue();
    put(both, "/secrets/a/x", "value");
    assertThat(stored("/secrets/a/x")).startsWith("k8s:enc:aesgcm:v1:two:");
    // The same provider twice, each with its own key: the first to fail does not end it.
    var apart =
        open(EncryptionFiles.keyed("aesgcm", "one"), EncryptionFiles.keyed("aesgcm", "two"));
    assertThat(StoreFixture.text(EncryptionFiles.entry(apart, "/secrets/a/x").value()))
        .isEqualTo("value");
    assertThat(isStale(apart, "/secrets/a/x")).isTrue();
  }

  @Test
  void withoutItsKeyAValueIsNamedAndOthersAreRead() {
    var one = open(EncryptionFiles.keyed("aesgcm", "one"), EncryptionFiles.IDENTITY);
    put(one, "/secrets/a/x", "value");
    put(one, "/internal/a", "k8s:enc: is nothing here");
    var other = open(EncryptionFiles.keyed("aesgcm", "two"), EncryptionFiles.IDENTITY);
    put(other, "/secrets/a/y", "another");
    assertThat(EncryptionFiles.entry(other, "/secrets/a/x").sealing().trouble())
        .isEqualTo(
            "unable to transform key \"/registry/secrets/a/x\": no matching key was found for the"
                + " provided AES transformer");
    assertThat(StoreFixture.text(EncryptionFiles.entry(other, "/secrets/a/y").value()))
        .isEqualTo("another");
    assertThat(StoreFixture.text(EncryptionFiles.entry(other, "/internal/a").value()))
        .contains("nothing here");
    var none = store(Encryption.none());
    assertThat(EncryptionFiles.entry(none, "/secrets/a/x").sealing().trouble())
        .endsWith("identity transformer tried to read encrypted data");
    var elsewhere = open(EncryptionFiles.keyed("aescbc", "one"));
    assertThat(EncryptionFiles.entry(elsewhere, "/secrets/a/x").sealing().trouble())
        .endsWith("no matching prefix found");
  }

  @Test
  void aValueThatWasCopiedToAnotherKeyIsRefused() {
    var store = open(EncryptionFiles.keyed("aesgcm", "one"));
    put(store, "/secrets/a/x", "value");
    var copied =
        new Operation.Put("/secrets/a/y", EncryptionFiles.entry(below, "/secrets/a/x").value(), 0);
    StoreFixture.await(below.commit(Transaction.of(copied)));
    assertThat(EncryptionFiles.entry(store, "/secrets/a/y").sealing().trouble())
        .endsWith("cipher: message authentication failed");
  }

  @Test
  void damagedValuesAreRefusedWithoutAnyOtherFailure() throws Exception {
    var store =
        open(EncryptionFiles.keyed("aesgcm", "one"), EncryptionFiles.keyed("secretbox", "b"));
    var random = new Random(3);
    for (int i = 0; i < 300; i++) {
      put(store, "/secrets/a/x", "a value of some length " + i);
      var stored = EncryptionFiles.entry(below, "/secrets/a/x");
      var mutated = Mutations.of(stored.value(), random);
      StoreFixture.await(
          below.commit(Transaction.of(new Operation.Put("/secrets/a/x", mutated, Operation.ANY))));
      try (var feed = store.follow(stored.modRevision())) {
        var change = feed.take(Duration.ofSeconds(10)).getFirst().changes().getFirst();
        assertThat(change.sealing().isClosed() || Arrays.equals(mutated, stored.value())).isTrue();
      }
    }
  }

  private static final class Noticed implements EncryptionObserver {
    final List<Boolean> reloads = new CopyOnWriteArrayList<>();
    final List<String> hashes = new CopyOnWriteArrayList<>();

    @Override
    public void reloaded(boolean succeeded) {
      reloads.add(succeeded);
    }

    @Override
    public void inForce(String hash) {
      hashes.add(hash);
    }
  }

  @Test
  void aChangedFileTakesEffectAndAWrongOneDoesNot() {
    var noticed = new Noticed();
    var rereads = new AtomicInteger();
    EncryptionFiles.write(
        file(), EncryptionFiles.configuration("secrets", EncryptionFiles.keyed("aesgcm", "one")));
    try (var encryption = EncryptionFiles.start(file(), true, noticed)) {
      encryption.onReadable(rereads::incrementAndGet);
      var store = store(encryption);
      put(store, "/secrets/a/x", "value");
      EncryptionFiles.write(file(), "kind: EncryptionConfiguration\n");
      await().until(() -> noticed.reloads.contains(false));
      assertThat(isStale(store, "/secrets/a/x")).isFalse();
      EncryptionFiles.write(
          file(),
          EncryptionFiles.configuration("secrets", EncryptionFiles.keyed("aesgcm", "two", "one")));
      await().until(() -> noticed.reloads.contains(true));
      assertThat(StoreFixture.text(EncryptionFiles.entry(store, "/secrets/a/x").value()))
          .isEqualTo("value");
      assertThat(isStale(store, "/secrets/a/x")).isTrue();
      assertThat(noticed.hashes).hasSize(2).doesNotHaveDuplicates();
      assertThat(rereads).hasValue(0);
      EncryptionFiles.write(
          file(), EncryptionFiles.configuration("secrets", EncryptionFiles.keyed("aesgcm", "two")));
      await().until(() -> noticed.hashes.size() == 3);
      assertThat(EncryptionFiles.entry(store, "/secrets/a/x").sealing().isClosed()).isTrue();
      EncryptionFiles.write(
          file(),
          EncryptionFiles.configuration("secrets", EncryptionFiles.keyed("aesgcm", "two", "one")));
      await().until(() -> rereads.get() == 1);
      assertThat(EncryptionFiles.entry(store, "/secrets/a/x").sealing().isClosed()).isFalse();
    }
  }

  @Test
  void aValueThatIsReadWhileItsKeyArrivesIsReadAgain() {
    put(open(EncryptionFiles.keyed("aesgcm", "two")), "/secrets/a/x", "of another server");
    EncryptionFiles.write(
        file(), EncryptionFiles.configuration("secrets", EncryptionFiles.keyed("aesgcm", "one")));
    var noticed = new Noticed();
    var rereads = new AtomicInteger();
    try (var encryption = EncryptionFiles.start(file(), true, noticed)) {
      encryption.onReadable(rereads::incrementAndGet);
      StorageResources arriving =
          key -> {
            EncryptionFiles.write(
                file(),
                EncryptionFiles.configuration(
                    "secrets", EncryptionFiles.keyed("aesgcm", "one", "two")));
            await().until(() -> noticed.hashes.size() == 2);
            return EncryptionFiles.FIRST_WORD.of(key);
          };
      var store = new EncryptedStore(below, encryption, arriving);
      assertThat(EncryptionFiles.entry(store, "/secrets/a/x").sealing().isClosed()).isTrue();
      await().until(() -> rereads.get() == 1);
    }
  }

  @Test
  void withoutAUsableFileThereIsNoStart() {
    assertThatThrownBy(() -> EncryptionFiles.start(folder.resolve("none.yaml")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "--encryption-provider-config: error while parsing file: error while loading file:"
                + " error reading encryption provider configuration file: "
                + folder.resolve("none.yaml")
                + " does not exist");
  }
}
