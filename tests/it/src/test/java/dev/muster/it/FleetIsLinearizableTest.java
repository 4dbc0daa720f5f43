package dev.muster.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.muster.it.history.History;
import dev.muster.it.history.HistoryChecker;
import dev.muster.it.history.Observation.Listing;
import dev.muster.it.history.Observation.Read;
import dev.muster.it.history.Observation.Watch;
import dev.muster.testing.NeedsProgram;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Nothing fails here: what one of three servers acknowledged, the others show at once. */
@Tag("slow")
@NeedsProgram(value = "etcd", from = "3.4")
class FleetIsLinearizableTest {
  private static final int SERVERS = 3;
  private static final int WRITES = 300;

  @TempDir private Path folder;

  @Test
  void whatOneServerWroteIsReadFromTheOthersAtOnceAndSeenByTheirWatches() throws Exception {
    var history = new History();
    try (var fleet = EtcdFleet.start(folder, SERVERS, 1)) {
      var apis =
          IntStream.range(0, SERVERS)
              .mapToObj(i -> new HttpApi(fleet.url(i), fleet.authority()))
              .toList();
      var clients = apis.stream().map(api -> new RegisterClient(api, history)).toList();
      apis.getFirst()
          .send(
              "POST",
              "/api/v1/namespaces",
              "{\"metadata\":{\"name\":\"%s\"}}".formatted(RegisterClient.NAMESPACE));
      long beginning = clients.getFirst().list();
      var watches =
          IntStream.range(0, SERVERS)
              .mapToObj(
                  i -> new RegisterWatch("watch " + i, List.of(apis.get(i)), 0, history, beginning))
              .toList();
      assertThat(clients.getFirst().create("r0")).isTrue();
      long last = 0;
      for (int i = 0; i < WRITES; i++) {
        clients.get(i % SERVERS).put("r0");
        long seen = clients.get((i + 1) % SERVERS).read("r0");
        assertThat(seen).as("the write %d through another server", i).isGreaterThan(last);
        assertThat(clients.get((i + 2) % SERVERS).list()).isGreaterThanOrEqualTo(seen);
        last = seen;
      }
      long end = last;
      for (var watch : watches) {
        await().atMost(Duration.ofSeconds(60)).until(() -> watch.upTo() >= end);
        watch.stop();
      }
      apis.forEach(HttpApi::close);
    }
    var all = history.all();
    assertThat(HistoryChecker.violations(all)).isEmpty();
    assertThat(history.acknowledged()).isEqualTo(WRITES + 1);
    assertThat(history.count(Read.class)).isEqualTo(WRITES);
    assertThat(history.count(Listing.class)).isEqualTo(WRITES + 1);
    assertThat(all)
        .filteredOn(Watch.class::isInstance)
        .hasSize(SERVERS)
        .allSatisfy(watch -> assertThat(((Watch) watch).events()).hasSize(WRITES + 1));
  }
}
