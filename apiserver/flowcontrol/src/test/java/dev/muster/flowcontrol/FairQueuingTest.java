package dev.muster.flowcontrol;

import static dev.muster.flowcontrol.SeatRequest.State.REFUSED;
import static dev.muster.flowcontrol.SeatRequest.State.WAITING;
import static dev.muster.flowcontrol.TestFlows.SECOND;
import static dev.muster.flowcontrol.TestFlows.request;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Clients with a fixed number of requests under way each, in a time of their own. */
class FairQueuingTest {
  private static final long MILLI = 1_000_000;

  /** What a user does. */
  private record Client(String name, int inFlight, int seats, long serviceNanos) {}

  private static final class Simulation {
    final PriorityLevels levels;
    final Random random;
    final PriorityQueue<Event> events =
        new PriorityQueue<>(Comparator.comparingLong(Event::at).thenComparingLong(Event::order));
    final Map<String, Long> work = new HashMap<>();
    final Map<String, Long> longestWait = new HashMap<>();
    long now;
    long order;

    Simulation(PriorityLevels levels, long seed) {
      this.levels = levels;
      this.random = new Random(seed);
    }

    double worked(String name) {
      return work.getOrDefault(name, 0L);
    }

    long waited(String name) {
      return longestWait.getOrDefault(name, Long.MAX_VALUE);
    }

    void at(long time, Runnable action) {
      events.add(new Event(time, order++, action));
    }

    void client(Client client) {
      for (int i = 0; i < client.inFlight(); i++) {
        at(0, () -> send(client));
      }
    }

    void send(Client client) {
      var request = new Simulated(this, client, now);
      var state = request.start(WorkEstimate.wide(client.seats()), now);
      if (state == REFUSED) {
        at(now + 10 * MILLI, () -> send(client));
      } else if (state != WAITING) {
        request.run();
      }
    }

    void until(long end) {
      while (!events.isEmpty() && events.peek().at() <= end) {
        var event = events.poll();
        now = event.at();
        event.action().run();
      }
    }
  }

  private record Event(long at, long order, Runnable action) {}

  private static final class Simulated extends SeatRequest {
    final Simulation simulation;
    final Client client;
    final long sent;

    Simulated(Simulation simulation, Client client, long sent) {
      super(simulation.levels.classify(request(client.name())), request(client.name()));
      this.simulation = simulation;
      this.client = client;
      this.sent = sent;
    }

    @Override
    protected void dispatched() {
      run();
    }

    @Override
    protected String path() {
      return "";
    }

    void run() {
      simulation.longestWait.merge(client.name(), simulation.now - sent, Math::max);
      long takes = client.serviceNanos() / 2 + simulation.random.nextLong(client.serviceNanos());
      simulation.at(
          simulation.now + takes,
          () -> {
            simulation.work.merge(client.name(), takes * client.seats(), Long::sum);
            finish(simulation.now);
            simulation.send(client);
          });
    }
  }

  private Simulation simulate(long seed, Client... clients) {
    var simulation =
        new Simulation(TestFlows.single(10, TestFlows.queues("l", 1, 64, 4, 200)), seed);
    for (var client : clients) {
      simulation.client(client);
    }
    simulation.until(60 * SECOND);
    return simulation;
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void whoAsksAHundredTimesAsOftenGetsAsMuchAsTheOther(long seed) {
    var run =
        simulate(
            seed, new Client("loud", 500, 1, 10 * MILLI), new Client("quiet", 10, 1, 10 * MILLI));
    // The loud one has the four queues of its hand, the quiet one as well: each queue the same.
    double quiet = run.worked("quiet");
    assertThat(quiet / run.worked("loud")).isBetween(0.6, 1.7);
  }

  @ParameterizedTest
  @ValueSource(longs = {4, 5, 6})
  void aUserWithOneRequestAtATimeHardlyWaitsForALoudOne(long seed) {
    var run =
        simulate(
            seed, new Client("loud", 500, 1, 10 * MILLI), new Client("quiet", 1, 1, 10 * MILLI));
    // No more than two of the loud one's requests on the seat that is freed next.
    assertThat(run.waited("quiet")).isLessThan(30 * MILLI);
    assertThat(run.waited("loud")).isGreaterThan(300 * MILLI);
  }

  @Test
  void wideRequestsArePaidForByWhoSendsThem() {
    var run =
        simulate(
            7, new Client("wide", 100, 5, 10 * MILLI), new Client("narrow", 100, 1, 10 * MILLI));
    double narrow = run.worked("narrow");
    assertThat(narrow / run.worked("wide")).isBetween(0.5, 2.0);
  }

  @Test
  void longRequestsArePaidForByWhoSendsThem() {
    var run =
        simulate(
            8, new Client("long", 100, 1, 200 * MILLI), new Client("short", 100, 1, 2 * MILLI));
    double brief = run.worked("short");
    assertThat(brief / run.worked("long")).isBetween(0.5, 2.0);
  }

  @Test
  void nobodyStarvesAmongManyFlows() {
    var clients = new Client[60];
    for (int i = 0; i < clients.length; i++) {
      clients[i] = new Client("user-" + i, i % 7 == 0 ? 60 : 2, 1 + i % 3, (1 + i % 9) * MILLI);
    }
    var run = simulate(9, clients);
    assertThat(run.work).hasSize(60);
    for (var client : clients) {
      if (client.inFlight() == 2) {
        assertThat(run.waited(client.name())).as(client.name()).isLessThan(3 * SECOND);
      }
    }
  }
}
