package dev.muster.server.watch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.authorization.Authorizer;
import dev.muster.authorization.Decision;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The watches of one event loop, which runs when the test says so. */
class WatchLoopTest {
  private static final Authorizer ALL = attributes -> Decision.allow("");

  private final WatchedMaps maps = new WatchedMaps();
  private final HeldLoop held = new HeldLoop();
  private final WatchLoop loop =
      new WatchLoop(
          held,
          maps.replica(),
          ALL,
          maps::nanoTime,
          DeliveryTimes.UNRECORDED,
          TurnBudget.standard());

  @AfterEach
  void close() {
    maps.close();
  }

  /** Adds a watch of config maps from now on, which goes when its stream does. */
  private HeldStream watch(String query) {
    return watch(maps.request(query), new HeldStream());
  }

  private HeldStream watch(WatchRequest request, HeldStream stream) {
    var session = maps.watch(request, stream);
    loop.add(request.storage(), session);
    stream.onWritable(session::pump);
    stream.onClose(() -> loop.remove(request.storage(), session));
    session.pump();
    return stream;
  }

  private void wake() {
    loop.wake();
    held.run();
  }

  @Test
  void everyWatchOfACollectionIsToldAndThoseOfOthersAreNot() {
    var widgets =
        watch(maps.request(maps.define(), "", true, WatchedMaps.TIMEOUT), new HeldStream());
    var all = watch("");
    var shop = watch("labelSelector=app%3Dshop");
    maps.put("a", "shop");
    maps.put("b", "bank");
    wake();
    assertThat(all.told()).containsExactly("ADDED a", "ADDED b");
    assertThat(shop.told()).containsExactly("ADDED a");
    assertThat(widgets.told()).isEmpty();
    maps.putWidget("w");
    wake();
    assertThat(widgets.told()).containsExactly("ADDED w");
    assertThat(all.told()).hasSize(2);
  }

  @Test
  void manyWakesBeforeTheLoopRunsMakeOneRun() {
    var stream = watch("");
    for (int i = 0; i < 3; i++) {
      maps.put("m" + i, "shop");
      loop.wake();
    }
    assertThat(held.waiting()).isEqualTo(1);
    held.run();
    assertThat(stream.told()).containsExactly("ADDED m0", "ADDED m1", "ADDED m2");
    loop.wake();
    assertThat(held.waiting()).as("a run that is over does not keep the next away").isEqualTo(1);
  }

  @Test
  void whoReadsSlowlyHoldsNobodyUpAndMissesNothing() {
    var slow = watch("");
    var fast = watch("");
    slow.room(1);
    for (int i = 0; i < 4; i++) {
      maps.put("m" + i, "shop");
      wake();
    }
    assertThat(fast.told()).containsExactly("ADDED m0", "ADDED m1", "ADDED m2", "ADDED m3");
    assertThat(slow.told()).containsExactly("ADDED m0");
    slow.becomesWritable(2);
    assertThat(slow.told()).containsExactly("ADDED m0", "ADDED m1", "ADDED m2");
    slow.becomesWritable(10);
    assertThat(slow.told()).isEqualTo(fast.told());
  }

  @Test
  void aTypeThatGoesAwayEndsItsWatchesAndNoOthers() {
    var type = maps.define();
    var widgets = watch(maps.request(type, "", true, WatchedMaps.TIMEOUT), new HeldStream());
    var others = watch("");
    maps.putWidget("w");
    wake();
    assertThat(widgets.open()).isTrue();
    maps.putWidget("last");
    maps.undefine();
    wake();
    assertThat(widgets.finished()).isTrue();
    assertThat(widgets.told()).containsExactly("ADDED w", "ADDED last");
    maps.put("m", "shop");
    wake();
    assertThat(others.told()).containsExactly("ADDED m");
    assertThat(others.open()).isTrue();
  }

  @Test
  void aTypeThatCameAndWentBetweenTwoRunsEndsItsWatches() {
    watch("");
    wake();
    var widgets =
        watch(maps.request(maps.define(), "", true, WatchedMaps.TIMEOUT), new HeldStream());
    maps.putWidget("w");
    maps.undefine();
    wake();
    assertThat(widgets.told()).containsExactly("ADDED w");
    assertThat(widgets.finished()).isTrue();
  }

  @Test
  void watchesThatCloseWhileAnEventIsToldKeepItFromNobodyElse() {
    var first = watch("");
    var second = watch("");
    var third = watch("");
    first.onWrite(
        () -> {
          first.vanish();
          second.vanish();
        });
    maps.put("a", "shop");
    maps.put("b", "shop");
    wake();
    maps.put("c", "shop");
    wake();
    assertThat(first.told()).as("nothing after it has gone").hasSize(1);
    assertThat(second.told()).isEmpty();
    assertThat(third.told()).containsExactly("ADDED a", "ADDED b", "ADDED c");
  }

  @Test
  void aWatchThatFailsKeepsNothingFromTheOthers() {
    var broken = watch("");
    var sound = watch("");
    broken.onWrite(
        () -> {
          throw new IllegalStateException("the test wants it so");
        });
    maps.put("a", "shop");
    wake();
    assertThat(broken.aborted()).isTrue();
    assertThat(sound.told()).containsExactly("ADDED a");
  }

  @Test
  void aTickBringsBookmarksToThoseWhoWantThem() {
    var wanted = watch("allowWatchBookmarks=true");
    var unwanted = watch("");
    maps.pass(Duration.ofSeconds(59));
    loop.tick();
    held.run();
    assertThat(wanted.sent()).isEmpty();
    maps.pass(Duration.ofSeconds(1));
    loop.tick();
    held.run();
    assertThat(wanted.told()).containsExactly("BOOKMARK");
    assertThat(unwanted.sent()).isEmpty();
    maps.pass(WatchedMaps.TIMEOUT);
    loop.tick();
    held.run();
    assertThat(List.of(wanted, unwanted)).allMatch(HeldStream::finished);
  }

  @Test
  void aWatchThatBeginsWithTheStateStandsBesideOthersThatDoNot() {
    maps.put("a", "shop");
    var plain = watch("");
    var state =
        watch("sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true");
    maps.put("b", "shop");
    wake();
    assertThat(plain.told()).containsExactly("ADDED b");
    assertThat(state.told()).containsExactly("ADDED a", "BOOKMARK", "ADDED b");
  }

  @Test
  void finishingEndsAllOfThem() {
    var streams = List.of(watch(""), watch(""));
    loop.finish();
    held.run();
    assertThat(streams).allMatch(HeldStream::finished);
    maps.put("a", "shop");
    wake();
    assertThat(streams).allMatch(stream -> stream.told().isEmpty());
  }

  @Test
  void whatIsPublishedAfterTheEventLoopHasEndedIsNobodysBusiness() {
    var stream = watch("");
    held.shutdown();
    maps.put("a", "shop");
    loop.wake();
    loop.wake();
    loop.tick();
    loop.finish();
    assertThat(held.waiting()).isZero();
    assertThat(stream.told()).isEmpty();
  }
}
