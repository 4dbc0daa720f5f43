package dev.muster.it.decisions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.it.decisions.Deed.Verdict;
import dev.muster.it.decisions.Observed.Changed;
import dev.muster.it.decisions.Observed.Decided;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Rules come and go at times 100 to 199, 200 to 299 and so on. */
class DecisionCheckerTest {
  private static final List<RuleLog.Entry> LOG =
      List.of(
          new RuleLog.Entry(10, Rule.ROLE, true),
          new RuleLog.Entry(20, Rule.POLICY, true),
          new RuleLog.Entry(30, Rule.ROLE, false));

  private static List<String> violations(Decided... requests) {
    var all = new ArrayList<Observed>();
    all.add(new Changed(Rule.ROLE, true, 0, 100, 199));
    all.add(new Changed(Rule.POLICY, true, 0, 200, 299));
    all.add(new Changed(Rule.ROLE, false, 0, 300, 399));
    all.addAll(List.of(requests));
    return DecisionChecker.violations(LOG, all);
  }

  private static Decided decided(Deed deed, Verdict verdict, long began, long ended) {
    return new Decided(deed, verdict, 0, began, ended, 0);
  }

  @Test
  void acceptsWhatTheRulesOfTheMomentSay() {
    assertThat(
            violations(
                decided(Deed.GET, Verdict.FORBIDDEN, 10, 20),
                decided(Deed.GET, Verdict.DONE, 200, 210),
                new Decided(Deed.CREATE, Verdict.DONE, 0, 200, 210, 15),
                decided(Deed.CREATE, Verdict.REFUSED_BY_POLICY, 299, 300),
                decided(Deed.GET, Verdict.FORBIDDEN, 400, 410)))
        .isEmpty();
  }

  @Test
  void acceptsBothWhileAChangeIsUnderWay() {
    assertThat(
            violations(
                decided(Deed.GET, Verdict.DONE, 310, 320),
                decided(Deed.GET, Verdict.FORBIDDEN, 310, 320)))
        .isEmpty();
  }

  @Test
  void seesARightThatWasGoneBefore() {
    assertThat(violations(decided(Deed.GET, Verdict.DONE, 400, 410))).hasSize(1);
  }

  @Test
  void seesARightThatWasMissedThoughItWasThere() {
    assertThat(violations(decided(Deed.GET, Verdict.FORBIDDEN, 200, 210))).hasSize(1);
  }

  @Test
  void seesARightThatWasTakenAwayOnlyLater() {
    assertThat(violations(decided(Deed.GET, Verdict.FORBIDDEN, 210, 290))).hasSize(1);
  }

  @Test
  void seesAPolicyThatWasNotFollowed() {
    assertThat(violations(decided(Deed.DRY_RUN, Verdict.DONE, 300, 310))).hasSize(1);
  }

  @Test
  void seesAWriteThatWasStoredAfterTheRightWasGoneThoughItBeganBefore() {
    assertThat(violations(new Decided(Deed.DELETE, Verdict.DONE, 0, 210, 410, 35))).hasSize(1);
    assertThat(violations(new Decided(Deed.DELETE, Verdict.DONE, 0, 210, 410, 25))).isEmpty();
  }

  @Test
  void seesAnAnswerFromAnOldSnapshot() {
    assertThat(violations(new Decided(Deed.LIST, Verdict.DONE, 0, 300, 310, 12)))
        .singleElement()
        .asString()
        .contains("older than 20");
  }

  /** There was a role or a binding at any moment, whichever of them was looked at first. */
  @Test
  void seesRulesOfTwoMomentsInOneDecision() {
    var log =
        List.of(
            new RuleLog.Entry(10, Rule.ROLE, true),
            new RuleLog.Entry(20, Rule.CLUSTER_ROLE_BINDING, true),
            new RuleLog.Entry(30, Rule.ROLE, false));
    var observed =
        List.<Observed>of(
            new Changed(Rule.ROLE, true, 0, 100, 199),
            new Changed(Rule.CLUSTER_ROLE_BINDING, true, 0, 200, 299),
            new Changed(Rule.ROLE, false, 0, 300, 399),
            decided(Deed.GET, Verdict.FORBIDDEN, 200, 400));
    assertThat(DecisionChecker.violations(log, observed)).hasSize(1);
  }

  @Test
  void aChangeThatTheLogDoesNotKnowIsAMistakeOfTheTest() {
    assertThatThrownBy(
            () ->
                DecisionChecker.violations(
                    LOG, List.of(new Changed(Rule.WEBHOOK, true, 0, 100, 199))))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
