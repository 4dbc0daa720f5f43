package dev.muster.controllers.storageversions;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.controllers.Yaml;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import org.junit.jupiter.api.Test;

class GoneServersTest {
  private static final long SECOND = Duration.ofSeconds(1).toNanos();

  private final GoneServers servers = new GoneServers(Duration.ofSeconds(10));

  @Test
  void whoIsMissingAtThreeLooksIsGone() {
    assertThat(servers.check(Set.of("a", "b"), Set.of("b"), 0)).isEmpty();
    assertThat(servers.isSuspicious()).isTrue();
    assertThat(servers.check(Set.of("a", "b"), Set.of("b"), 10 * SECOND)).isEmpty();
    assertThat(servers.check(Set.of("a", "b"), Set.of("b"), 20 * SECOND)).containsExactly("a");
    assertThat(servers.check(Set.of("b"), Set.of("b"), 30 * SECOND)).isEmpty();
    assertThat(servers.isSuspicious()).isFalse();
  }

  @Test
  void looksInQuickSuccessionCountOnce() {
    for (int i = 0; i < 10; i++) {
      assertThat(servers.check(Set.of("a"), Set.of(), i * SECOND)).isEmpty();
    }
  }

  @Test
  void whoseLeaseComesBackIsCountedFromTheBeginning() {
    servers.check(Set.of("a"), Set.of(), 0);
    servers.check(Set.of("a"), Set.of(), 10 * SECOND);
    servers.check(Set.of("a"), Set.of("a"), 15 * SECOND);
    assertThat(servers.check(Set.of("a"), Set.of(), 20 * SECOND)).isEmpty();
    assertThat(servers.check(Set.of("a"), Set.of(), 30 * SECOND)).isEmpty();
    assertThat(servers.check(Set.of("a"), Set.of(), 40 * SECOND)).containsExactly("a");
  }

  @Test
  void whatIsLeftOfAnObjectSaysWhetherAllAgree() {
    var object =
        Yaml.object(
            """
            metadata: {name: apps.deployments}
            status:
              storageVersions:
              - {apiServerID: a, encodingVersion: apps/v1}
              - {apiServerID: b, encodingVersion: apps/v2}
              conditions:
              - {type: AllEncodingVersionsEqual, status: 'False', reason: CommonEncodingVersionUnset,
                 message: Common encoding version unset, lastTransitionTime: '2026-01-01T00:00:00Z'}
            """);
    assertThat(StorageVersionEntries.disagreement(object))
        .contains("API servers store different versions: a=apps/v1, b=apps/v2");
    var kept =
        StorageVersionEntries.keep(
            object, server -> server.equals("b"), Instant.parse("2026-11-16T09:00:00Z"));
    assertThat(kept.object("status").string("commonEncodingVersion")).isEqualTo("apps/v2");
    assertThat(kept.toString())
        .contains("CommonEncodingVersionSet", "2026-11-16T09:00:00Z")
        .doesNotContain("apiServerID\":\"a\"");
    assertThat(StorageVersionEntries.disagreement(kept)).isEmpty();
  }
}
