package dev.muster.it.races;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.it.races.RaceOperation.Apply;
import dev.muster.it.races.RaceOperation.Create;
import dev.muster.it.races.RaceOperation.Delete;
import dev.muster.it.races.RaceOperation.Get;
import dev.muster.it.races.RaceOperation.Patch;
import dev.muster.it.races.RaceOperation.Put;
import dev.muster.it.races.RaceOperation.Swap;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The checker accepts what can be true and catches each wrong answer that servers ever gave. */
class RaceCheckerTest {
  private static final State MADE = new State(11, "u", Map.of("c", "1"));
  private static final State PATCHED = new State(12, "u", Map.of("c", "1", "m", "1"));
  private static final State GONE = State.absent(13);
  private static final State AGAIN = new State(14, "v", Map.of("a", "1"));
  private static final List<State> LOG = List.of(MADE, PATCHED, GONE, AGAIN);

  /** One thing after the other: 0 to 9, 10 to 19, 20 to 29, 30 to 39. */
  private static final List<Answered> TRUE =
      List.of(
          write(new Create("c", "1"), 0, 201, MADE),
          write(new Patch(false, "m", "1", 0), 10, 200, PATCHED),
          new Answered("x", new Delete(0, ""), false, 20, 29, 200, 0, "u", Map.of(), ""),
          write(new Apply("x", "a", "1"), 30, 201, AGAIN));

  private static Answered write(RaceOperation operation, long began, int code, State after) {
    return new Answered(
        "x",
        operation,
        false,
        began,
        began + 9,
        code,
        after.revision(),
        after.uid(),
        after.notes(),
        "");
  }

  private static Answered refused(RaceOperation operation, long began, int code) {
    return new Answered("y", operation, false, began, began + 2, code, 0, "", Map.of(), "no");
  }

  private static Answered dry(RaceOperation operation, long began, Map<String, String> notes) {
    return new Answered("y", operation, true, began, began + 2, 200, 0, "", notes, "");
  }

  private static List<String> with(Answered... more) {
    var all = new ArrayList<>(TRUE);
    all.addAll(List.of(more));
    return RaceChecker.violations(all, LOG);
  }

  @Test
  void acceptsWhatCanBeTrue() {
    assertThat(with()).isEmpty();
    assertThat(
            with(
                refused(new Create("c", "2"), 15, 409),
                refused(new Patch(false, "m", "2", 11), 21, 409),
                refused(new Swap("m", "2", "3"), 20, 422),
                refused(new Get(), 32, 404),
                dry(new Patch(true, "n", "1", 0), 15, Map.of("c", "1", "n", "1")),
                dry(new Patch(true, "n", "1", 0), 15, Map.of("c", "1", "m", "1", "n", "1")),
                write(new Get(), 40, 200, AGAIN)))
        .isEmpty();
  }

  @Test
  void catchesAPatchThatLostItsRace() {
    assertThat(with(refused(new Patch(false, "m", "2", 0), 15, 409))).hasSize(1);
    assertThat(with(refused(new Apply("y", "b", "2"), 15, 409))).hasSize(1);
    assertThat(with(refused(new Put(Map.of("p", "1"), false, 0, ""), 15, 409))).hasSize(1);
  }

  @Test
  void catchesATestOfAStaleObject() {
    assertThat(with(refused(new Swap("m", "1", "2"), 15, 422))).isEmpty();
    assertThat(
            RaceChecker.violations(
                List.of(TRUE.get(0), TRUE.get(1), refused(new Swap("m", "1", "2"), 20, 422)),
                List.of(MADE, PATCHED)))
        .hasSize(1);
  }

  @Test
  void catchesADryRunWithoutWhatWasAcknowledged() {
    var log = List.of(MADE, PATCHED);
    var dry = dry(new Patch(false, "n", "1", 0), 20, Map.of("c", "1", "n", "1"));
    assertThat(RaceChecker.violations(List.of(TRUE.get(0), TRUE.get(1), dry), log)).hasSize(1);
  }

  @Test
  void catchesAUidOfAnObjectThatIsGone() {
    assertThat(with(refused(new Put(Map.of(), false, 0, "v"), 40, 409))).hasSize(1);
    assertThat(with(refused(new Delete(0, "v"), 40, 409))).hasSize(1);
    assertThat(with(refused(new Put(Map.of(), false, 0, "u"), 40, 409))).isEmpty();
  }

  @Test
  void catchesACreateByApplyOrPutThatFoundTheObject() {
    assertThat(with(refused(new Apply("y", "b", "1"), 35, 409))).hasSize(1);
    assertThat(with(refused(new Put(Map.of("p", "1"), true, 0, ""), 35, 409))).hasSize(1);
  }

  @Test
  void catchesContentionAsAFailure() {
    for (int code : List.of(500, 503, 504, 429)) {
      assertThat(with(refused(new Put(Map.of("p", "1"), false, 0, ""), 15, code)))
          .singleElement()
          .asString()
          .startsWith("contention is no failure");
    }
  }

  @Test
  void catchesALostUpdate() {
    var lost = new State(12, "u", Map.of("m", "1"));
    assertThat(
            RaceChecker.violations(
                List.of(TRUE.get(0), write(new Patch(false, "m", "1", 0), 10, 200, lost)),
                List.of(MADE, lost)))
        .isNotEmpty();
  }

  @Test
  void catchesAStaleRead() {
    assertThat(with(write(new Get(), 20, 200, MADE))).hasSize(1);
    assertThat(with(refused(new Get(), 12, 404))).hasSize(1);
  }

  @Test
  void catchesAWriteThatNeverHappenedAndAChangeThatNobodyMade() {
    assertThat(with(write(new Patch(false, "m", "9", 0), 40, 200, new State(15, "v", Map.of()))))
        .singleElement()
        .asString()
        .startsWith("acknowledged and never happened");
    assertThat(RaceChecker.violations(TRUE.subList(0, 3), LOG))
        .singleElement()
        .asString()
        .startsWith("nobody made");
  }

  @Test
  void catchesWritesInAnImpossibleOrder() {
    var swapped =
        List.of(
            write(new Create("c", "1"), 20, 201, MADE),
            write(new Patch(false, "m", "1", 0), 0, 200, PATCHED));
    assertThat(RaceChecker.violations(swapped, List.of(MADE, PATCHED)))
        .singleElement()
        .asString()
        .startsWith("came too late");
  }
}
