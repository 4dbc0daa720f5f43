package dev.muster.server.answers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.server.answers.RunningServer.Answer;
import dev.muster.store.MemoryStore;
import dev.muster.store.Operation;
import dev.muster.store.Transaction;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * Whatever becomes of an encrypted value in the store, it is served as it was written or not at
 * all: its object is named as unreadable, and everything else goes on. {@code
 * -Dmuster.fuzz.seconds} sets for how long it tries (2), {@code -Dmuster.fuzz.seed} what it tries.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class EncryptedValuesFuzzTest {
  private static final long SECONDS = Long.getLong("muster.fuzz.seconds", 2);
  private static final long SEED = Long.getLong("muster.fuzz.seed", 36);
  private static final String SECRETS = "/api/v1/namespaces/default/secrets";
  private static final String KEYS = "/secrets/default/";
  private static final String HUSH = "aHVzaA==";

  private final MemoryStore store = new MemoryStore();
  private final Random random = new Random(SEED);
  private RunningServer server;
  private byte[] ofAnotherKey = {};

  private static String key(String name) {
    var bytes = Arrays.copyOf(name.getBytes(StandardCharsets.UTF_8), 32);
    return "{keys: [{name: %s, secret: %s}]}"
        .formatted(name, Base64.getEncoder().encodeToString(bytes));
  }

  private RunningServer start(Path folder, String providers) throws Exception {
    var file =
        Files.writeString(
            folder.resolve("encryption.yaml"),
            """
            kind: EncryptionConfiguration
            apiVersion: apiserver.config.k8s.io/v1
            resources:
            - resources: [secrets]
              providers: [%s]
            """
                .formatted(providers));
    return RunningServer.start(
        folder,
        store,
        options -> options.withStorage(options.storage().withEncryption(file, false)));
  }

  @BeforeAll
  void start(@TempDir Path folder) throws Exception {
    try (var before = start(folder, "{aesgcm: " + key("lost") + "}")) {
      create(before, "victim");
      ofAnotherKey = stored("victim");
      assertThat(before.delete(SECRETS + "/victim", "").code()).isEqualTo(200);
    }
    server = start(folder, "{aesgcm: " + key("one") + "}, {secretbox: " + key("two") + "}");
    create(server, "victim");
    create(server, "other");
  }

  @AfterAll
  void stop() {
    server.close();
  }

  private static void create(RunningServer server, String name) {
    var secret =
        "{\"metadata\":{\"name\":\"%s\"},\"data\":{\"password\":\"%s\"}}".formatted(name, HUSH);
    assertThat(server.post(SECRETS, secret).code()).isEqualTo(201);
  }

  private byte[] stored(String name) {
    try (var image = store.image()) {
      for (var entry : image) {
        if (entry.key().equals(KEYS + name)) {
          return entry.value();
        }
      }
    }
    throw new AssertionError(name + " is not in the store");
  }

  private void put(byte[] value) {
    store.commit(Transaction.of(new Operation.Put(KEYS + "victim", value, Operation.ANY))).join();
  }

  private byte[] damaged(byte[] good) {
    var text = new String(good, StandardCharsets.ISO_8859_1);
    var damaged =
        switch (random.nextInt(7)) {
          case 0 -> flipped(good);
          case 1 -> Arrays.copyOf(good, random.nextInt(good.length));
          case 2 -> Arrays.copyOf(good, good.length + 1 + random.nextInt(40));
          case 3 -> ofAnotherKey;
          case 4 -> stored("other");
          case 5 -> text.replace("aesgcm", prefix()).getBytes(StandardCharsets.ISO_8859_1);
          default -> text.replace(":one:", ":two:").getBytes(StandardCharsets.ISO_8859_1);
        };
    return Arrays.equals(damaged, good) ? flipped(good) : damaged;
  }

  private byte[] flipped(byte[] good) {
    var flipped = good.clone();
    flipped[random.nextInt(flipped.length)] ^= (byte) (1 << random.nextInt(8));
    return flipped;
  }

  private String prefix() {
    return List.of("aescbc", "secretbox", "kms:v2", "identity", "").get(random.nextInt(5));
  }

  @Test
  void aDamagedValueIsNamedAndNeverServed() {
    var good = stored("victim");
    long end = System.nanoTime() + SECONDS * 1_000_000_000;
    for (int tried = 0; System.nanoTime() < end || tried < 30; tried++) {
      var damaged = damaged(good);
      put(damaged);
      var shown =
          "seed %d, try %d: %s"
              .formatted(SEED, tried, new String(damaged, StandardCharsets.ISO_8859_1));
      assertUnreadable(server.get(SECRETS + "/victim"), shown);
      assertUnreadable(server.patch(SECRETS + "/victim", RunningServer.MERGE, "{}"), shown);
      assertUnreadable(server.delete(SECRETS + "/victim", ""), shown);
      var list = server.get(SECRETS);
      assertThat(list.code()).as(shown).isEqualTo(200);
      assertThat(list.object().array("items").objects())
          .as(shown)
          .extracting(item -> item.object("metadata").string("name"))
          .containsExactly("other");
      assertThat(list.warnings()).as(shown).hasSize(1).first().asString().contains("victim");
      assertThat(list.text()).as(shown).doesNotContain("k8s:enc:");
      assertThat(server.get(SECRETS + "/other").text()).as(shown).contains(HUSH);
      assertThat(stored("victim")).as(shown).isEqualTo(damaged);
      put(good);
      assertThat(server.get(SECRETS + "/victim").text()).as(shown).contains(HUSH);
    }
  }

  private static void assertUnreadable(Answer answer, String shown) {
    assertThat(answer.code()).as("%s\n%s", shown, answer.text()).isEqualTo(500);
    assertThat(answer.object().string("kind")).as(shown).isEqualTo("Status");
    assertThat(answer.message()).as(shown).contains("/registry/secrets/default/victim");
    assertThat(answer.text()).as(shown).doesNotContain("k8s:enc:", HUSH);
  }
}
