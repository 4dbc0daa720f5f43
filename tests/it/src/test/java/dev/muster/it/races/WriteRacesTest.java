package dev.muster.it.races;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Clients that race for one object on three servers get only answers that can be true. */
class WriteRacesTest {
  private static final int CLIENTS = 6;
  private static final int REQUESTS = 80;

  @TempDir private Path folder;

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void everyAnswerCanBeTrue(long seed) throws Exception {
    try (var servers = RacingServers.start(folder, 3, seed, 3_000);
        var http = new RaceHttp(RacingServers.TOKEN)) {
      for (var kind : new RaceKind[] {RaceKind.CONFIG_MAP, RaceKind.ROLE}) {
        var race = Race.run(http, servers.urls(), kind, seed, CLIENTS, REQUESTS);
        assertThat(race.violations()).isEmpty();
        assertThat(race.writes()).isGreaterThan(CLIENTS * REQUESTS / 4);
        assertThat(race.refusals()).isPositive();
      }
    }
  }
}
