package dev.muster.store.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.testing.ChildProcess;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A process that commits is killed at random moments; nothing that it acknowledged is missing. */
@Tag("slow")
@Timeout(300)
class DurabilityTest {
  private static final int ROUNDS = 50;

  @TempDir Path folder;
  private final Random random = new Random(20_25);

  @Test
  void nothingAcknowledgedIsMissingAfterAKill() throws InterruptedException {
    var acknowledged = new HashSet<String>();
    for (var round = 0; round < ROUNDS; round++) {
      acknowledged.addAll(commitUntilKilled());
      assertThat(missing(acknowledged)).as("after round %s", round).isEmpty();
    }
    assertThat(acknowledged).hasSizeGreaterThan(ROUNDS * 4);
  }

  @Test
  void theCheckFindsAnAcknowledgementBeforeTheFlush() throws InterruptedException {
    var missing = new HashSet<String>();
    for (var round = 0; round < 20 && missing.isEmpty(); round++) {
      missing.addAll(missing(commitUntilKilled("--too-early")));
    }
    assertThat(missing).isNotEmpty();
  }

  /** Starts the child, kills it a little after its first acknowledgement, answers all of them. */
  private Set<String> commitUntilKilled(String... options) throws InterruptedException {
    var arguments = new String[options.length + 1];
    arguments[0] = folder.toString();
    System.arraycopy(options, 0, arguments, 1, options.length);
    var acknowledged = new HashSet<String>();
    try (var child = ChildProcess.start(ChildProcess.java(CommittingChild.class, arguments))) {
      var line = child.nextLine();
      while (line != null && !line.startsWith("ack ")) {
        line = child.nextLine();
      }
      assertThat(line).as(() -> child.output().toString()).isNotNull();
      LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(random.nextInt(100_000)));
      child.kill();
      for (; line != null; line = child.nextLine()) {
        var words = line.split(" ");
        if (words.length >= 3 && words[0].equals("ack")) {
          acknowledged.add(words[1]);
        }
      }
    }
    return acknowledged;
  }

  private Set<String> missing(Set<String> acknowledged) {
    var missing = new HashSet<>(acknowledged);
    try (var store = EmbeddedStore.open(EmbeddedOptions.in(folder));
        var image = store.image()) {
      for (var entry : image) {
        assertThat(new String(entry.value(), StandardCharsets.UTF_8))
            .isEqualTo(("value of " + entry.key()).repeat(10));
        missing.remove(entry.key());
      }
    }
    return missing;
  }
}
