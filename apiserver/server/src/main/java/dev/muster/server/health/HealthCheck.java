package dev.muster.server.health;

import dev.muster.server.health.HealthChecks.Question;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * One named check.
 *
 * @param questions to which it is part of the answer
 * @param awaited whether a start is not over before it passes
 * @param why what everybody may know about a failure
 * @param reason what those may know who may ask for this check alone
 * @param note what everybody may know about it although it passes; "" for nothing
 */
public record HealthCheck(
    String name,
    Set<Question> questions,
    boolean awaited,
    BooleanSupplier passes,
    Supplier<String> why,
    Supplier<String> reason,
    Supplier<String> note) {
  public HealthCheck {
    questions = Set.copyOf(questions);
  }

  private HealthCheck(
      String name,
      Set<Question> questions,
      boolean awaited,
      BooleanSupplier passes,
      Supplier<String> why,
      Supplier<String> reason) {
    this(name, questions, awaited, passes, why, reason, () -> "");
  }

  /** The same with something to tell of while it passes. */
  public HealthCheck withNote(Supplier<String> told) {
    return new HealthCheck(name, questions, awaited, passes, why, reason, told);
  }

  /** Counts for both liveness and readiness. */
  public static HealthCheck always(String name, BooleanSupplier passes) {
    return new HealthCheck(
        name,
        Set.of(Question.values()),
        true,
        passes,
        HealthCheck::withheld,
        () -> name + " failed");
  }

  /** Counts for readiness alone. */
  public static HealthCheck forReadiness(String name, BooleanSupplier passes) {
    return new HealthCheck(
        name, Set.of(Question.READYZ), true, passes, HealthCheck::withheld, () -> name + " failed");
  }

  /**
   * Says whether the store is in contact.
   *
   * @param questions to which it is part of the answer
   * @param trouble what is wrong with the store
   */
  public static HealthCheck ofStore(
      String name, Set<Question> questions, BooleanSupplier passes, Supplier<String> trouble) {
    return new HealthCheck(
        name,
        questions,
        true,
        passes,
        HealthCheck::withheld,
        () -> trouble.get().isEmpty() ? name + " failed" : trouble.get());
  }

  /**
   * Counts for readiness alone; passes when there is no trouble to tell of. A start goes on without
   * it: somebody must be there to mend what is wrong.
   */
  public static HealthCheck ofTrouble(String name, Supplier<String> trouble) {
    return new HealthCheck(
        name, Set.of(Question.READYZ), false, () -> trouble.get().isEmpty(), trouble, trouble);
  }

  /**
   * Counts for everything but liveness: a restart mends nothing that is outside of the server. A
   * start goes on without it: what needs no plug-in is served.
   */
  public static HealthCheck ofPlugins(String name, Supplier<String> trouble) {
    return new HealthCheck(
        name,
        Set.of(Question.HEALTHZ, Question.READYZ),
        false,
        () -> trouble.get().isEmpty(),
        () -> "a KMS plug-in is not well, see the log",
        trouble);
  }

  private static String withheld() {
    return "reason withheld";
  }
}
