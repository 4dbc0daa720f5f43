package dev.muster.fleet.discovery;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.fleet.TestClock;
import dev.muster.fleet.TestServer;
import dev.muster.fleet.discovery.HashRows.Row;
import dev.muster.fleet.identity.ServerId;
import dev.muster.model.Timestamps;
import dev.muster.store.MemoryStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class HashReporterTest {
  private final MemoryStore store = new MemoryStore();
  private final TestClock clock = TestClock.create();
  private final List<TestServer> servers = new ArrayList<>();
  private Set<Row> gone = Set.of();
  private List<String> spare = List.of();

  @AfterEach
  void close() {
    servers.forEach(TestServer::close);
    store.close();
  }

  private HashReporter reporter() {
    var server = new TestServer(store, clock);
    servers.add(server);
    return new HashReporter(
        server.objects(), () -> "h", clock, Duration.ofMinutes(5), () -> gone, () -> spare);
  }

  private List<Row> rows() {
    return HashRows.read(
        servers.getFirst().objects().readLatest(HashRows.RESOURCE, "", HashRows.NAME));
  }

  private static ServerId id(int number) {
    return new ServerId("host", number, "AAAAAA");
  }

  @Test
  void concurrentReportsNeverLoseARow() throws Exception {
    int count = 8;
    int rounds = 20;
    var reporters = new ArrayList<HashReporter>();
    for (int i = 0; i < count; i++) {
      reporters.add(reporter());
    }
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int round = 0; round < rounds; round++) {
        clock.advance(Duration.ofSeconds(1));
        var tasks = new ArrayList<Callable<Set<Row>>>();
        for (int i = 0; i < count; i++) {
          int number = i;
          tasks.add(() -> reporters.get(number).report(id(number)));
        }
        for (Future<Set<Row>> done : threads.invokeAll(tasks)) {
          done.get();
        }
        var now = Timestamps.format(clock.instant());
        assertThat(rows())
            .hasSize(count)
            .allMatch(row -> row.heartbeat().equals(now))
            .extracting(Row::server)
            .doesNotHaveDuplicates();
      }
    }
  }

  @Test
  void removesARowOnlyAsItWasWhenThatWasDecided() {
    var a = reporter();
    var b = reporter();
    a.report(id(1));
    b.report(id(2));
    gone =
        Set.copyOf(rows().stream().filter(row -> row.server().equals(id(2).toString())).toList());
    clock.advance(Duration.ofSeconds(1));
    b.report(id(2));
    assertThat(a.report(id(1))).isEmpty();
    assertThat(rows()).hasSize(2);
    gone =
        Set.copyOf(rows().stream().filter(row -> row.server().equals(id(2).toString())).toList());
    clock.advance(Duration.ofSeconds(1));
    assertThat(a.report(id(1))).hasSize(1);
    assertThat(rows()).extracting(Row::server).containsExactly(id(1).toString());
  }

  @Test
  void aServerThatTookAnotherIdHasOneRow() {
    var a = reporter();
    a.report(id(1));
    a.report(id(3));
    assertThat(rows()).extracting(Row::server).containsExactly(id(3).toString());
  }

  @Test
  void aServerThatLeftDoesNotReportAgain() {
    var a = reporter();
    var b = reporter();
    a.report(id(1));
    b.report(id(2));
    a.withdraw();
    a.report(id(1));
    assertThat(rows()).extracting(Row::server).containsExactly(id(2).toString());
  }

  @Test
  void anObjectThatWasDeletedIsMadeAgain() {
    var a = reporter();
    a.report(id(1));
    var objects = servers.getFirst().objects();
    var object = objects.readLatest(HashRows.RESOURCE, "", HashRows.NAME);
    objects.delete(HashRows.RESOURCE, Objects.requireNonNull(object));
    a.report(id(1));
    assertThat(rows()).hasSize(1);
  }
}
