package dev.muster.server.health;

import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * One named check.
 *
 * @param live whether a failure means that the server should be restarted
 * @param ready whether a failure means that the server should get no requests
 * @param awaited whether a start is not over before it passes
 * @param why what everybody may know about a failure
 */
public record HealthCheck(
    String name,
    boolean live,
    boolean ready,
    boolean awaited,
    BooleanSupplier passes,
    Supplier<String> why) {
  /** Counts for both liveness and readiness. */
  public static HealthCheck always(String name, BooleanSupplier passes) {
    return new HealthCheck(name, true, true, true, passes, HealthCheck::withheld);
  }

  /** Counts for readiness alone. */
  public static HealthCheck forReadiness(String name, BooleanSupplier passes) {
    return new HealthCheck(name, false, true, true, passes, HealthCheck::withheld);
  }

  /**
   * Counts for readiness alone; passes when there is no trouble to tell of. A start goes on without
   * it: somebody must be there to mend what is wrong.
   */
  public static HealthCheck ofTrouble(String name, Supplier<String> trouble) {
    return new HealthCheck(name, false, true, false, () -> trouble.get().isEmpty(), trouble);
  }

  private static String withheld() {
    return "reason withheld";
  }
}
