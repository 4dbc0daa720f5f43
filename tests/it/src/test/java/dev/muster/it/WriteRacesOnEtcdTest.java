package dev.muster.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.it.races.Race;
import dev.muster.it.races.RaceHttp;
import dev.muster.it.races.RaceKind;
import java.nio.file.Path;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Clients that race for one object on three processes on etcd get only answers that can be true.
 */
@Tag("slow")
class WriteRacesOnEtcdTest {
  private static final int SERVERS = 3;

  @TempDir private Path folder;

  @Test
  void everyAnswerCanBeTrue() throws Exception {
    try (var fleet = EtcdFleet.start(folder, SERVERS, 1);
        var http = new RaceHttp(EtcdFleet.TOKEN)) {
      var urls = IntStream.range(0, SERVERS).mapToObj(fleet::url).toList();
      for (var kind : new RaceKind[] {RaceKind.CONFIG_MAP, RaceKind.ROLE}) {
        var race = Race.run(http, urls, kind, 11, 8, 100);
        assertThat(race.violations()).isEmpty();
        assertThat(race.writes()).isGreaterThan(200);
      }
    }
  }
}
