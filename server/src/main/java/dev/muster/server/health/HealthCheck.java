package dev.muster.server.health;

import java.util.function.BooleanSupplier;

/**
 * One named check.
 *
 * @param live whether a failure means that the server should be restarted
 * @param ready whether a failure means that the server should get no requests
 */
public record HealthCheck(String name, boolean live, boolean ready, BooleanSupplier passes) {
  /** Counts for both liveness and readiness. */
  public static HealthCheck always(String name, BooleanSupplier passes) {
    return new HealthCheck(name, true, true, passes);
  }

  /** Counts for readiness alone. */
  public static HealthCheck forReadiness(String name, BooleanSupplier passes) {
    return new HealthCheck(name, false, true, passes);
  }
}
