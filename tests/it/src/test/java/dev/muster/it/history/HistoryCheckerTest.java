package dev.muster.it.history;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.it.history.Observation.Delete;
import dev.muster.it.history.Observation.Event;
import dev.muster.it.history.Observation.Listing;
import dev.muster.it.history.Observation.Outcome;
import dev.muster.it.history.Observation.Read;
import dev.muster.it.history.Observation.Watch;
import dev.muster.it.history.Observation.Write;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** The checker accepts what can be true and catches each kind of lie. */
class HistoryCheckerTest {
  private static final Event A1 = new Event("a", "a1", 11, false);
  private static final Event B1 = new Event("b", "b1", 12, false);
  private static final Event A2 = new Event("a", "a2", 13, false);
  private static final Event A3 = new Event("a", "a3", 14, false);
  private static final Event B_GONE = new Event("b", "b1", 15, true);

  private static final Write WRITE_A2 = new Write("a", "a2", 20, 29, Outcome.ACKNOWLEDGED, 13);
  private static final Read READ_A2 = new Read("a", "a2", 13, 30, 31);
  private static final Watch ONE = new Watch("one", 0, 15, List.of(A1, B1, A2, A3, B_GONE));
  private static final Watch TWO = new Watch("two", 11, 15, List.of(B1, A2, A3, B_GONE));
  private static final Listing LIST = new Listing(14, Map.of("a", "a3", "b", "b1"), 40, 41);

  /** Two keys; the fate of a3 is unknown to its client, but it happened; a4 never did. */
  private static final List<Observation> TRUE =
      List.of(
          new Write("a", "a1", 1, 9, Outcome.ACKNOWLEDGED, 11),
          new Write("b", "b1", 10, 19, Outcome.ACKNOWLEDGED, 12),
          WRITE_A2,
          new Write("a", "a3", 32, 39, Outcome.UNKNOWN, 0),
          new Write("a", "a4", 32, 39, Outcome.REFUSED, 0),
          new Write("a", "a5", 32, 39, Outcome.UNKNOWN, 0),
          new Delete("b", 42, 43, Outcome.ACKNOWLEDGED),
          new Read("a", "a1", 11, 25, 26),
          READ_A2,
          new Read("b", "", 0, 50, 51),
          new Read("a", "a3", 14, 50, 51),
          LIST,
          ONE,
          TWO);

  @Test
  void acceptsWhatCanBeTrue() {
    assertThat(HistoryChecker.violations(TRUE)).isEmpty();
  }

  @Test
  void catchesAnAcknowledgedWriteThatWasLost() {
    assertThat(with(ONE, watch(ONE, A2)).with(TWO, watch(TWO, A2)).without(READ_A2).violations())
        .anyMatch(text -> text.startsWith("one has a gap"))
        .anyMatch(text -> text.startsWith("two has a gap"));
    assertThat(without(ONE).without(TWO).without(LIST).with(READ_A2, read("a1", 11)).violations())
        .anyMatch(text -> text.startsWith("stale"));
  }

  @Test
  void catchesAGapInAWatch() {
    assertThat(with(TWO, watch(TWO, A3)).violations())
        .containsExactly("two has a gap: it never saw " + A3);
    assertThat(with(TWO, watch(TWO, B_GONE)).violations())
        .containsExactly("two has a gap: it never saw " + B_GONE);
  }

  @Test
  void catchesAnEventThatIsRepeatedOrOutOfOrder() {
    assertThat(with(TWO, new Watch("two", 11, 15, List.of(B1, A2, A2, A3, B_GONE))).violations())
        .containsExactly("two saw revision 13 after 13");
    assertThat(with(TWO, new Watch("two", 11, 15, List.of(A2, B1, A3, B_GONE))).violations())
        .containsExactly("two saw revision 12 after 13");
    assertThat(with(TWO, new Watch("two", 13, 15, List.of(A2, A3, B_GONE))).violations())
        .containsExactly("two saw revision 13 after 13");
  }

  @Test
  void catchesAStaleRead() {
    assertThat(with(READ_A2, read("a1", 11)).violations())
        .containsExactly("stale: " + read("a1", 11) + " does not show " + WRITE_A2);
    assertThat(with(READ_A2, read("", 0)).violations()).anyMatch(text -> text.startsWith("stale"));
  }

  @Test
  void catchesAReadThatGoesBack() {
    var back = new Read("a", "a2", 13, 60, 61);
    assertThat(and(back).violations()).anyMatch(text -> text.contains("goes behind"));
  }

  @Test
  void catchesAReadOfWhatWasNotWrittenYet() {
    assertThat(and(new Read("a", "a3", 14, 27, 28)).violations())
        .anyMatch(text -> text.endsWith("saw a write that had not begun"));
  }

  @Test
  void catchesAListThatIsStaleOrWrong() {
    assertThat(with(LIST, new Listing(12, Map.of("a", "a1", "b", "b1"), 40, 41)).violations())
        .anyMatch(text -> text.startsWith("stale: the list at 12"));
    assertThat(with(LIST, new Listing(14, Map.of("a", "a3"), 40, 41)).violations())
        .anyMatch(text -> text.startsWith("the list at 14 is"));
  }

  @Test
  void catchesWhatWasRefusedAndHappened() {
    var a4 = new Event("a", "a4", 16, false);
    assertThat(and(new Watch("three", 15, 16, List.of(a4))).violations())
        .anyMatch(text -> text.endsWith("was refused and happened all the same"));
  }

  @Test
  void catchesAWriteThatHappenedTwice() {
    var again = new Event("a", "a3", 16, false);
    assertThat(and(new Watch("three", 15, 16, List.of(again))).violations())
        .containsExactly(again + " happened at 14 already");
  }

  @Test
  void catchesTwoTruthsAboutOneRevision() {
    var other = new Event("a", "a5", 14, false);
    assertThat(with(TWO, new Watch("two", 11, 15, List.of(B1, A2, other, B_GONE))).violations())
        .anyMatch(text -> text.startsWith("two says"));
  }

  @Test
  void catchesADeletedObjectThatIsStillRead() {
    assertThat(and(new Read("b", "b1", 12, 60, 61)).violations())
        .anyMatch(text -> text.contains("shows what was deleted by"));
  }

  /** A history that was tampered with. */
  private record Changed(List<Observation> history) {
    Changed with(Observation old, Observation changed) {
      return map(all -> all.replaceAll(each -> each.equals(old) ? changed : each));
    }

    Changed without(Observation old) {
      return map(all -> all.remove(old));
    }

    Changed map(Consumer<List<Observation>> change) {
      var copy = new ArrayList<>(history);
      change.accept(copy);
      assertThat(copy).isNotEqualTo(history);
      return new Changed(copy);
    }

    List<String> violations() {
      return HistoryChecker.violations(history);
    }
  }

  private static Changed with(Observation old, Observation changed) {
    return new Changed(TRUE).with(old, changed);
  }

  private static Changed without(Observation old) {
    return new Changed(TRUE).without(old);
  }

  private static Changed and(Observation more) {
    return new Changed(TRUE).map(all -> all.add(more));
  }

  private static Watch watch(Watch watch, Event without) {
    UnaryOperator<List<Event>> remove =
        events -> events.stream().filter(event -> !event.equals(without)).toList();
    return new Watch(watch.name(), watch.after(), watch.upTo(), remove.apply(watch.events()));
  }

  private static Read read(String value, long revision) {
    return new Read("a", value, revision, READ_A2.began(), READ_A2.ended());
  }
}
