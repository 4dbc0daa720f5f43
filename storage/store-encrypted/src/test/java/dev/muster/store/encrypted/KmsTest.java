package dev.muster.store.encrypted;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.muster.store.EncryptionState;
import dev.muster.store.Entry;
import dev.muster.store.MemoryStore;
import dev.muster.store.Operation;
import dev.muster.store.Store;
import dev.muster.store.StoreException;
import dev.muster.store.Transaction;
import dev.muster.store.encrypted.kms.PluginProcess;
import dev.muster.testing.StoreFixture;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Values in envelopes of a KMS plug-in that lives in a process of its own, and dies there. */
@Timeout(120)
class KmsTest {
  @TempDir Path folder;
  private final MemoryStore below = new MemoryStore();
  private final AtomicInteger rereads = new AtomicInteger();
  private PluginProcess plugin;
  private Encryption encryption;
  private Store store;

  @BeforeEach
  void start() throws Exception {
    plugin = PluginProcess.in(folder).start();
    open();
    await().until(() -> encryption.degradedReason().isEmpty());
  }

  /** As a server does after a restart: nothing that was decrypted before is known. */
  private void open() {
    var file =
        EncryptionFiles.write(
            folder.resolve("encryption.yaml"),
            EncryptionFiles.configuration(
                "secrets",
                EncryptionFiles.kms("vault", plugin.endpoint()),
                EncryptionFiles.IDENTITY));
    encryption = EncryptionFiles.start(file);
    encryption.onReadable(rereads::incrementAndGet);
    store = new EncryptedStore(below, encryption, EncryptionFiles.FIRST_WORD);
  }

  private void restart() {
    encryption.close();
    open();
  }

  @AfterEach
  void close() {
    encryption.close();
    store.close();
    plugin.close();
  }

  private void put(String key, String value) {
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

  private Entry read(String key) {
    return EncryptionFiles.entry(store, key);
  }

  private String stored(String key) {
    return EncryptionFiles.stored(below, key);
  }

  @Test
  void valuesAreInEnvelopesAndEachSeedIsAskedForOnce() {
    put("/secrets/a/one", "first");
    put("/secrets/a/two", "second");
    put("/configmaps/a/three", "third");
    assertThat(stored("/secrets/a/one"))
        .startsWith("k8s:enc:kms:v2:vault:")
        .doesNotContain("first");
    assertThat(stored("/configmaps/a/three")).isEqualTo("third");
    assertThat(plugin.answered("Decrypt")).isZero();
    restart();
    assertThat(StoreFixture.text(read("/secrets/a/one").value())).isEqualTo("first");
    assertThat(StoreFixture.text(read("/secrets/a/two").value())).isEqualTo("second");
    assertThat(plugin.answered("Decrypt")).isEqualTo(1);
  }

  @Test
  void anotherKeyOfThePluginMeansAnotherSeedAndFormerValuesAreStale() {
    put("/secrets/a/old", "first");
    var encryptionState = read("/secrets/a/old").sealing();
    assertThat(store.needsRewrite("/secrets/a/old", encryptionState)).isFalse();
    plugin.behave("keyId=key-2");
    await().until(() -> store.needsRewrite("/secrets/a/old", encryptionState));
    put("/secrets/a/new", "second");
    assertThat(stored("/secrets/a/new")).contains("key-2");
    assertThat(StoreFixture.text(read("/secrets/a/old").value())).isEqualTo("first");
    assertThat(store.needsRewrite("/secrets/a/new", read("/secrets/a/new").sealing())).isFalse();
    assertThat(store.needsRewrite("/secrets/a/plain", EncryptionState.NONE)).isTrue();
  }

  @Test
  void whileThePluginIsDeadKnownSeedsServeAndUnknownOnesAreNamed() throws Exception {
    put("/secrets/a/one", "first");
    plugin.kill();
    await().until(() -> !encryption.degradedReason().isEmpty());
    assertThat(StoreFixture.text(read("/secrets/a/one").value())).isEqualTo("first");
    put("/secrets/a/two", "second");
    restart();
    var lost = read("/secrets/a/one");
    assertThat(lost.sealing().trouble())
        .startsWith("unable to transform key \"/registry/secrets/a/one\": failed to decrypt DEK");
    assertThatThrownBy(() -> put("/secrets/a/three", "third"))
        .isInstanceOf(StoreException.NotEncrypted.class)
        .hasMessageContaining("vault");
    put("/configmaps/a/three", "third");
    plugin.start();
    await().until(() -> rereads.get() > 0);
    assertThat(StoreFixture.text(read("/secrets/a/one").value())).isEqualTo("first");
    await().until(() -> encryption.degradedReason().isEmpty());
    put("/secrets/a/three", "third");
  }

  @Test
  void aPluginThatHangsCostsOneTimeoutForManyValues() {
    for (int i = 0; i < 20; i++) {
      put("/secrets/a/" + i, "value " + i);
    }
    plugin.behave("hang=Status,Decrypt");
    restart();
    long calls = entries(store).values().stream().filter(e -> e.sealing().isClosed()).count();
    assertThat(calls).isEqualTo(20);
    assertThat(plugin.answered("Decrypt")).isZero();
    assertThat(encryption.degradedReason()).contains("kms-provider-0").contains("DeadlineExceeded");
    plugin.behave("");
    await().until(() -> rereads.get() > 0);
    assertThat(entries(store).values()).noneMatch(entry -> entry.sealing().isClosed());
  }

  @Test
  void aPluginThatIsNotWellSaysSoAndIsHealthyAgainLater() {
    plugin.behave("healthz=tired");
    await()
        .until(() -> encryption.degradedReason().contains("got unexpected healthz status: tired"));
    plugin.behave("version=v3");
    await()
        .until(() -> encryption.degradedReason().contains("expected KMSv2 API version v2, got v3"));
    plugin.behave("keyId=");
    await().until(() -> encryption.degradedReason().contains("keyID is empty"));
    plugin.behave("keyId=key-9\nfail=Encrypt");
    await().until(() -> encryption.degradedReason().contains("failed to rotate DEK"));
    put("/secrets/a/one", "with the seed that is still good");
    plugin.behave("");
    await().until(() -> encryption.degradedReason().isEmpty());
  }

  @Test
  void aValueThatThePluginRefusesIsTheOnlyOne() {
    put("/secrets/a/one", "first");
    plugin.behave("keyId=key-2");
    var encryptionState = read("/secrets/a/one").sealing();
    await().until(() -> store.needsRewrite("/secrets/a/one", encryptionState));
    put("/secrets/a/two", "second");
    var broken = EncryptionFiles.entry(below, "/secrets/a/one").value().clone();
    broken[broken.length - 40] ^= 1;
    StoreFixture.await(
        below.commit(Transaction.of(new Operation.Put("/secrets/a/one", broken, Operation.ANY))));
    restart();
    assertThat(read("/secrets/a/one").sealing().trouble()).contains("/registry/secrets/a/one");
    assertThat(StoreFixture.text(read("/secrets/a/two").value())).isEqualTo("second");
  }

  @Test
  void abstractSocketsAreSpokenTo() throws Exception {
    plugin.close();
    plugin = PluginProcess.abstractInto(folder).start();
    restart();
    await().until(() -> encryption.degradedReason().isEmpty());
    put("/secrets/a/one", "first");
    assertThat(StoreFixture.text(read("/secrets/a/one").value())).isEqualTo("first");
  }
}
