package dev.muster.server.watch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.authorization.Decision;
import dev.muster.replica.ReplicaOptions;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Watches of a real replica on event loops of the test, without a network. */
class WatchHubTest {
  private static WatchHub hub(WatchedMaps maps) {
    return new WatchHub(maps.replica(), attributes -> Decision.allow(""), DeliveryTimes.UNRECORDED);
  }

  private static HeldStream start(WatchHub hub, HeldLoop loop, WatchRequest request) {
    var stream = new HeldStream();
    hub.start(loop, () -> stream, request);
    return stream;
  }

  @Test
  void whatIsPublishedReachesTheWatchesOfAllEventLoops() throws Exception {
    try (var maps = new WatchedMaps();
        var hub = hub(maps)) {
      var loops = List.of(new HeldLoop(), new HeldLoop());
      var streams =
          List.of(
              start(hub, loops.get(0), maps.request("")),
              start(hub, loops.get(0), maps.request("")),
              start(hub, loops.get(1), maps.request("")));
      maps.put("a", "shop");
      loops.get(0).runUntil(() -> streams.get(1).told().size() == 1);
      assertThat(streams.get(0).told()).containsExactly("ADDED a");
      assertThat(streams.get(2).told()).as("its event loop did not run yet").isEmpty();
      loops.get(1).runUntil(() -> streams.get(2).told().size() == 1);
      assertThat(hub.open()).isEqualTo(3);
      assertThat(maps.opened()).isEqualTo(3);
      assertThat(maps.initialised()).isEqualTo(3);
    }
  }

  @Test
  void aWatchThatClosesIsForgottenAndTheOthersGoOn() throws Exception {
    try (var maps = new WatchedMaps();
        var hub = hub(maps)) {
      var loop = new HeldLoop();
      var gone = start(hub, loop, maps.request(""));
      var stays = start(hub, loop, maps.request(""));
      maps.put("a", "shop");
      gone.vanish();
      loop.runUntil(() -> !stays.told().isEmpty());
      assertThat(gone.told()).isEmpty();
      assertThat(hub.open()).isEqualTo(1);
      assertThat(maps.closed()).isEqualTo(1);
    }
  }

  @Test
  void aClientThatCatchesUpGoesOnWhereItStopped() throws Exception {
    try (var maps = new WatchedMaps();
        var hub = hub(maps)) {
      var loop = new HeldLoop();
      var slow = start(hub, loop, maps.request(""));
      var fast = start(hub, loop, maps.request(""));
      slow.room(0);
      maps.put("a", "shop");
      maps.put("b", "shop");
      loop.runUntil(() -> fast.told().size() == 2);
      assertThat(slow.told()).isEmpty();
      slow.becomesWritable(5);
      assertThat(slow.told()).containsExactly("ADDED a", "ADDED b");
    }
  }

  @Test
  void aRevisionThatIsTooOldIsToldInsideOfTheWatch() {
    try (var maps = new WatchedMaps(ReplicaOptions.defaults().withEvents(Duration.ZERO, 8, 0));
        var hub = hub(maps)) {
      var old = maps.request("");
      for (int i = 0; i < 100; i++) {
        maps.put("m" + i, "shop");
      }
      var stream = start(hub, new HeldLoop(), old);
      assertThat(stream.sent()).hasSize(1);
      assertThat(stream.sent().getFirst().string("type")).isEqualTo("ERROR");
      assertThat(stream.sent().getFirst().object("object").integer("code", 0)).isEqualTo(410);
      assertThat(stream.finished()).isTrue();
      assertThat(hub.open()).isZero();
      assertThat(maps.initialised()).as("it holds no seat for longer").isEqualTo(1);
    }
  }

  @Test
  void aTypeThatWentAwayBeforeTheWatchBeganEndsIt() {
    try (var maps = new WatchedMaps();
        var hub = hub(maps)) {
      var request = maps.request(maps.define(), "", true, WatchedMaps.TIMEOUT);
      maps.undefine();
      var stream = start(hub, new HeldLoop(), request);
      assertThat(stream.finished()).isTrue();
      assertThat(hub.open()).isZero();
    }
  }

  @Test
  void aShortWatchEndsOnTimeAndItsTimerGoesWithIt() {
    try (var maps = new WatchedMaps();
        var hub = hub(maps)) {
      var loop = new HeldLoop();
      var type = maps.request("").type();
      var brief = start(hub, loop, maps.request(type, "", true, Duration.ofSeconds(20)));
      start(hub, loop, maps.request(type, "", true, Duration.ofMinutes(5)));
      assertThat(loop.timers()).as("long ones end with a tick").containsExactly(20L);
      brief.vanish();
      assertThat(loop.timers()).isEmpty();
    }
  }

  @Test
  void whenTheServerEndsWatchesEndAndLaterOnesAtOnce() {
    try (var maps = new WatchedMaps();
        var hub = hub(maps)) {
      var loop = new HeldLoop();
      var before = start(hub, loop, maps.request(""));
      hub.finishAll();
      loop.run();
      assertThat(before.finished()).isTrue();
      var after = start(hub, loop, maps.request(""));
      assertThat(after.finished()).isTrue();
      assertThat(hub.open()).isZero();
      assertThat(maps.closed()).isEqualTo(2);
    }
  }
}
