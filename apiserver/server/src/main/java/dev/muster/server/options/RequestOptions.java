package dev.muster.server.options;

import dev.muster.server.options.flag.Flag;
import dev.muster.server.options.flag.FlagChecks;
import dev.muster.server.options.flag.FlagGroup;
import java.time.Duration;

/** The limits on the duration and the number of requests. */
@FlagGroup("Requests")
public record RequestOptions(
    @Flag(
            name = "request-timeout",
            help = "How long a request may take; watches and other streams have their own limit.")
        Duration timeout,
    @Flag(
            name = "min-request-timeout",
            help =
                "Seconds that a watch stays open at least when its client names no limit; the"
                    + " server picks a time between this and twice this.")
        int minWatchSeconds,
    @Flag(
            name = "max-requests-inflight",
            help =
                "With --max-mutating-requests-inflight, the seats that priority levels share;"
                    + " without priority and fairness, the requests that read at the same time."
                    + " 0: none, or no limit.")
        int maxInFlight,
    @Flag(
            name = "max-mutating-requests-inflight",
            help =
                "Added to --max-requests-inflight, the seats that priority levels share; without"
                    + " priority and fairness, the requests that write at the same time.")
        int maxMutatingInFlight,
    @Flag(
            name = "enable-priority-and-fairness",
            help =
                "Share the seats among clients by FlowSchema and PriorityLevelConfiguration."
                    + " false: who finds no place is sent away, whoever it is.")
        boolean priorityAndFairness,
    BrowserOptions browsers)
    implements OptionGroup {

  public RequestOptions {
    FlagChecks.positive("request-timeout", timeout);
    FlagChecks.atLeast("min-request-timeout", minWatchSeconds, 1);
    FlagChecks.atLeast("max-requests-inflight", maxInFlight, 0);
    FlagChecks.atLeast("max-mutating-requests-inflight", maxMutatingInFlight, 0);
    if (priorityAndFairness && maxInFlight + maxMutatingInFlight <= 0) {
      throw new IllegalArgumentException(
          "--max-requests-inflight and --max-mutating-requests-inflight: one must be positive");
    }
  }

  public static RequestOptions defaults() {
    return new RequestOptions(
        Duration.ofMinutes(1), 1800, 400, 200, true, BrowserOptions.defaults());
  }

  public RequestOptions withPriorityAndFairness(boolean fair) {
    return new RequestOptions(
        timeout, minWatchSeconds, maxInFlight, maxMutatingInFlight, fair, browsers);
  }

  /** With that many concurrent requests, reads and writes together. */
  public RequestOptions withSeats(int seats) {
    return new RequestOptions(timeout, minWatchSeconds, seats, 0, priorityAndFairness, browsers);
  }

  public RequestOptions withTimeout(Duration longest) {
    return new RequestOptions(
        longest, minWatchSeconds, maxInFlight, maxMutatingInFlight, priorityAndFairness, browsers);
  }

  public RequestOptions withBrowsers(BrowserOptions other) {
    return new RequestOptions(
        timeout, minWatchSeconds, maxInFlight, maxMutatingInFlight, priorityAndFairness, other);
  }
}
