package dev.muster.server.health;

import dev.muster.server.health.HealthChecks.Question;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * One named health check.
 *
 * @param questions the endpoints that include it
 * @param awaited whether the start of the server waits until it passes
 * @param why the public reason of a failure
 * @param reason the reason for clients with permission for this check's own path
 * @param note a public remark although the check passes; "" for none
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

  /** The same check with a remark while it passes. */
  public HealthCheck withNote(Supplier<String> told) {
    return new HealthCheck(name, questions, awaited, passes, why, reason, told);
  }

  /** A check for all endpoints. */
  public static HealthCheck always(String name, BooleanSupplier passes) {
    return new HealthCheck(
        name,
        Set.of(Question.values()),
        true,
        passes,
        HealthCheck::withheld,
        () -> name + " failed");
  }

  /** A check for readiness only. */
  public static HealthCheck forReadiness(String name, BooleanSupplier passes) {
    return new HealthCheck(
        name, Set.of(Question.READYZ), true, passes, HealthCheck::withheld, () -> name + " failed");
  }

  /**
   * A check of the connection to the store.
   *
   * @param questions the endpoints that include it
   * @param trouble the problem of the store
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
   * A check for readiness only that passes when there is no trouble. The start does not wait for
   * it: the server must run so that a user can repair the problem.
   */
  public static HealthCheck ofTrouble(String name, Supplier<String> trouble) {
    return new HealthCheck(
        name, Set.of(Question.READYZ), false, () -> trouble.get().isEmpty(), trouble, trouble);
  }

  /**
   * A check for all endpoints but liveness: a restart repairs nothing outside the server. The start
   * does not wait for it: requests that need no plugin are served.
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
