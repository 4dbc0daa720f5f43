package dev.muster.it.races;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Used by one thread. Decides whether what clients were answered can come from one object that does
 * one thing after the other, each at some moment between its request and its answer:
 *
 * <ul>
 *   <li>every write did to the object before it what such a write does, and no two did it at once
 *   <li>whatever changed nothing (a refusal, a dry run, a read) is what the object would have
 *       answered in a state in which it was while the request was under way
 *   <li>contention is no failure: there is no answer of 429 or 500 and above
 * </ul>
 */
final class RaceChecker {
  private final List<State> states;
  private final Map<Integer, Answered> writers = new HashMap<>();
  private final List<String> violations = new ArrayList<>();

  private RaceChecker(List<State> log) {
    states = new ArrayList<>();
    states.add(State.absent(0));
    states.addAll(log);
  }

  /**
   * What cannot be true, in words; empty when all can.
   *
   * @param log the object after each of its changes, in their order; there is none before the first
   */
  static List<String> violations(List<Answered> answers, List<State> log) {
    var checker = new RaceChecker(log);
    answers.forEach(checker::checkCode);
    answers.stream().filter(Answered::isWrite).forEach(checker::checkWrite);
    checker.checkOrder();
    for (var answer : answers) {
      if (!answer.isWrite() && isJudged(answer)) {
        checker.checkAnswer(answer);
      }
    }
    return checker.violations;
  }

  private static boolean isJudged(Answered answer) {
    return answer.code() < 500 && answer.code() != 429;
  }

  private void checkCode(Answered answer) {
    if (!isJudged(answer)) {
      violations.add("contention is no failure: " + answer);
    }
  }

  private void checkWrite(Answered write) {
    int index = index(write);
    if (index < 1) {
      violations.add("acknowledged and never happened: " + write);
      return;
    }
    var other = writers.putIfAbsent(index, write);
    if (other != null) {
      violations.add("happened at once: " + write + " and " + other);
      return;
    }
    var before = states.get(index - 1);
    var after = states.get(index);
    var wanted = write.operation().on(before);
    if (!wanted.equals(write.reaction())) {
      violations.add("on %s not possible: %s".formatted(before, write));
    }
    if (!after.notes().equals(wanted.notes())) {
      violations.add("%s made %s of %s".formatted(write, after, before));
    }
    boolean same = before.isAbsent() || after.isAbsent() || before.uid().equals(after.uid());
    if (!same) {
      violations.add("%s made another object of %s".formatted(write, before));
    }
  }

  /** Every change is somebody's, and none was done before it was asked for. */
  private void checkOrder() {
    long began = Long.MIN_VALUE;
    for (int i = 1; i < states.size(); i++) {
      var write = writers.get(i);
      if (write == null) {
        violations.add("nobody made " + states.get(i));
      } else if (write.ended() < began) {
        violations.add("came too late: " + write);
      } else {
        began = Math.max(began, write.began());
      }
    }
  }

  /** Which change of the object this write is; -1 for none. */
  private int index(Answered write) {
    for (int i = 1; i < states.size(); i++) {
      boolean is =
          write.operation() instanceof RaceOperation.Delete
              ? states.get(i).isAbsent() && states.get(i - 1).uid().equals(write.uid())
              : states.get(i).revision() == write.revision() && !states.get(i).isAbsent();
      if (is) {
        return i;
      }
    }
    return -1;
  }

  private void checkAnswer(Answered answer) {
    int first = 0;
    int last = 0;
    for (var entry : writers.entrySet()) {
      if (entry.getValue().ended() < answer.began()) {
        first = Math.max(first, entry.getKey());
      }
      if (entry.getValue().began() < answer.ended()) {
        last = Math.max(last, entry.getKey());
      }
    }
    for (int i = first; i <= last; i++) {
      if (explains(states.get(i), answer)) {
        return;
      }
    }
    violations.add(
        "possible in no state from %s to %s: %s"
            .formatted(states.get(first), states.get(last), answer));
  }

  private static boolean explains(State state, Answered answer) {
    if (!answer.operation().on(state).equals(answer.reaction())) {
      return false;
    }
    boolean read = answer.operation() instanceof RaceOperation.Get && answer.code() == 200;
    return !read || (answer.revision() == state.revision() && answer.uid().equals(state.uid()));
  }
}
