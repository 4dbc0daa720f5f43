package dev.muster.server.options;

import dev.muster.server.options.flag.Flag;
import dev.muster.server.options.flag.FlagChecks;
import dev.muster.server.options.flag.FlagGroup;
import java.time.Duration;

/** The behaviour of the server between the stop signal and its end. */
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
                "While shutting down, answer new requests 429 with Retry-After instead of serving"
                    + " them.")
        boolean sendRetryAfter)
    implements OptionGroup {

  public ShutdownOptions {
    FlagChecks.notNegative("shutdown-delay-duration", delay);
  }

  public static ShutdownOptions defaults() {
    return new ShutdownOptions(Duration.ZERO, false);
  }
}
