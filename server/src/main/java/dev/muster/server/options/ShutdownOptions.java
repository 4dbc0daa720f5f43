package dev.muster.server.options;

import java.time.Duration;

/** What happens between the signal and the end. */
@FlagGroup("Shutdown")
public record ShutdownOptions(
    @Flag(
            name = "shutdown-delay-duration",
            help =
                "How long the server goes on serving, not ready, so that load balancers notice"
                    + " before it closes.")
        Duration delay,
    @Flag(
            name = "shutdown-send-retry-after",
            help =
                "While shutting down, answer new requests 429 with Retry-After and close their"
                    + " connections.")
        boolean sendRetryAfter,
    @Flag(
            name = "shutdown-watch-termination-grace-period",
            help = "How long open watches are waited for after other requests have drained.")
        Duration watchTerminationGracePeriod) {

  public ShutdownOptions {
    Checks.notNegative("shutdown-delay-duration", delay);
    Checks.notNegative("shutdown-watch-termination-grace-period", watchTerminationGracePeriod);
  }

  public static ShutdownOptions defaults() {
    return new ShutdownOptions(Duration.ZERO, false, Duration.ZERO);
  }
}
