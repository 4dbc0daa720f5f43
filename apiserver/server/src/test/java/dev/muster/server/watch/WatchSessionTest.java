package dev.muster.server.watch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.model.json.JsonObject;
import dev.muster.replica.ReplicaOptions;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Watches of a real replica, without a network: the stream is the test's. */
class WatchSessionTest {
  private static final String STATE =
      "sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true";

  private static JsonObject metadata(JsonObject frame) {
    return frame.object("object").object("metadata");
  }

  private static long revision(JsonObject frame) {
    return Long.parseLong(metadata(frame).string("resourceVersion"));
  }

  @Test
  void aSelectorTurnsChangesIntoComingsAndGoings() {
    try (var maps = new WatchedMaps()) {
      var session = maps.watch("labelSelector=app%3Dshop");
      maps.put("m", "shop");
      maps.put("m", "shop");
      long left = maps.put("m", "bank");
      maps.put("m", "bank");
      maps.put("m", "shop");
      long deleted = maps.delete("m");
      maps.put("other", "bank");
      maps.delete("other");
      session.pump();
      assertThat(maps.stream.told())
          .containsExactly("ADDED m", "MODIFIED m", "DELETED m", "ADDED m", "DELETED m");
      var gone = maps.stream.sent().get(2);
      assertThat(revision(gone)).as("the revision at which it went").isEqualTo(left);
      assertThat(metadata(gone).object("labels").string("app"))
          .as("as the watcher knew it")
          .isEqualTo("shop");
      assertThat(revision(maps.stream.sent().get(4))).isEqualTo(deleted);
    }
  }

  @Test
  void theStateComesInOrderAndEndsWithAnAnnotatedBookmark() {
    try (var maps = new WatchedMaps()) {
      for (var name : List.of("b", "c", "a")) {
        maps.put(name, "shop");
      }
      maps.put("d", "bank");
      long state = maps.revision();
      var session = maps.watch(STATE + "&labelSelector=app%3Dshop");
      maps.put("e", "shop");
      session.pump();
      assertThat(maps.stream.told())
          .containsExactly("ADDED a", "ADDED b", "ADDED c", "BOOKMARK", "ADDED e");
      var bookmark = maps.stream.sent().get(3);
      assertThat(revision(bookmark)).isEqualTo(state);
      assertThat(metadata(bookmark).object("annotations"))
          .isEqualTo(JsonObject.of("k8s.io/initial-events-end", "true"));
      assertThat(bookmark.object("object").string("kind")).isEqualTo("ConfigMap");
      assertThat(maps.initialised()).isEqualTo(1);
      assertThat(maps.sentInitial()).isEqualTo(3);
    }
  }

  @Test
  void aClientThatTakesNothingIsSentNothingAndMissesNothing() {
    try (var maps = new WatchedMaps()) {
      for (int i = 0; i < 5; i++) {
        maps.put("m" + i, "shop");
      }
      var session = maps.watch(STATE);
      maps.stream.room(2);
      session.pump();
      maps.put("late", "shop");
      session.pump();
      maps.pass(Duration.ofMinutes(2));
      session.tick();
      assertThat(maps.stream.told()).containsExactly("ADDED m0", "ADDED m1");
      assertThat(maps.initialised()).as("what is left waits for the client").isEqualTo(1);
      maps.stream.room(3);
      session.pump();
      assertThat(maps.stream.told()).hasSize(5).doesNotContain("BOOKMARK");
      maps.stream.room(1);
      session.pump();
      assertThat(maps.stream.told()).endsWith("ADDED m4", "BOOKMARK");
      assertThat(maps.sentInitial()).isEqualTo(5);
      maps.stream.room(1);
      session.pump();
      assertThat(maps.stream.told()).hasSize(7).endsWith("ADDED late");
      assertThat(maps.stream.open()).isTrue();
    }
  }

  @Test
  void aClientThatStaysBehindForTooLongIsToldSoAndEnded() {
    try (var maps = new WatchedMaps(ReplicaOptions.defaults().withEvents(Duration.ZERO, 8, 0))) {
      var session = maps.watch("");
      maps.stream.room(0);
      for (int i = 0; i < 100; i++) {
        maps.put("m" + i, "shop");
        session.pump();
      }
      assertThat(maps.stream.sent()).isEmpty();
      maps.stream.room(10);
      session.pump();
      assertThat(maps.stream.sent()).hasSize(1);
      var last = maps.stream.sent().getFirst();
      assertThat(last.string("type")).isEqualTo("ERROR");
      assertThat(last.object("object").string("reason")).isEqualTo("Expired");
      assertThat(last.object("object").integer("code", 0)).isEqualTo(410);
      assertThat(maps.stream.finished()).isTrue();
    }
  }

  @Test
  void aBookmarkComesEveryMinuteAndShortlyBeforeTheEnd() {
    try (var maps = new WatchedMaps()) {
      var session = maps.watch("allowWatchBookmarks=true&labelSelector=app%3Dshop");
      session.pump();
      maps.pass(Duration.ofSeconds(59));
      session.tick();
      assertThat(maps.stream.sent()).isEmpty();
      long unseen = maps.put("m", "bank");
      maps.pass(Duration.ofSeconds(1));
      session.tick();
      session.tick();
      assertThat(maps.stream.told()).containsExactly("BOOKMARK");
      var bookmark = maps.stream.sent().getFirst();
      assertThat(revision(bookmark)).as("past what it does not select").isEqualTo(unseen);
      assertThat(metadata(bookmark).has("annotations")).isFalse();
      for (int minute = 2; minute <= 4; minute++) {
        maps.pass(Duration.ofMinutes(1));
        session.tick();
      }
      maps.pass(Duration.ofSeconds(57));
      session.tick();
      assertThat(maps.stream.told()).hasSize(4);
      maps.pass(Duration.ofSeconds(1));
      session.tick();
      assertThat(maps.stream.told()).hasSize(5).containsOnly("BOOKMARK");
      maps.pass(Duration.ofSeconds(2));
      session.tick();
      assertThat(maps.stream.finished()).isTrue();
      assertThat(maps.stream.sent()).hasSize(5);
    }
  }

  @Test
  void whoWantsNoBookmarksGetsNone() {
    try (var maps = new WatchedMaps()) {
      maps.put("m", "shop");
      var session = maps.watch("");
      session.pump();
      maps.pass(WatchedMaps.TIMEOUT.minusSeconds(1));
      session.tick();
      assertThat(maps.stream.sent()).isEmpty();
      assertThat(maps.stream.open()).isTrue();
    }
  }

  @Test
  void aTypeThatGoesAwayEndsTheWatchAfterItsLastEvent() {
    try (var maps = new WatchedMaps()) {
      var session = maps.watch("");
      session.check(WatchedMaps.types(true));
      assertThat(maps.stream.open()).isTrue();
      maps.put("m", "shop");
      maps.delete("m");
      session.check(WatchedMaps.types(false));
      assertThat(maps.stream.told()).containsExactly("ADDED m", "DELETED m");
      assertThat(maps.stream.finished()).isTrue();
    }
  }

  @Test
  void whatIsMadeElsewhereComesInTheSameOrderAndNothingComesBetween() {
    try (var maps = new WatchedMaps()) {
      maps.put("a", "shop");
      maps.put("b", "shop");
      var session = maps.watch(STATE, false);
      session.pump();
      maps.put("c", "shop");
      maps.pass(Duration.ofMinutes(1));
      session.tick();
      session.pump();
      session.check(WatchedMaps.types(false));
      assertThat(maps.stream.sent()).isEmpty();
      assertThat(maps.stream.open()).as("until all was told").isTrue();
      maps.stream.makeAll();
      assertThat(maps.stream.told()).containsExactly("ADDED a", "ADDED b", "BOOKMARK", "ADDED c");
      assertThat(maps.stream.finished()).isTrue();
      assertThat(maps.stream.aborted()).isFalse();
    }
  }
}
