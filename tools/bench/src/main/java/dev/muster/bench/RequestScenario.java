package dev.muster.bench;

import dev.muster.bench.client.RequestLoad;
import dev.muster.bench.client.RequestSource;
import dev.muster.bench.client.Tally;
import java.util.function.Function;

/** Requests in a closed loop. */
record RequestScenario(String name, String title, Function<BenchRun, Plan> plan)
    implements Scenario {

  /** What to send, the least size of a good answer, and what to do afterwards. */
  record Plan(RequestSource source, long leastBytes, Runnable afterwards) {
    Plan(RequestSource source, long leastBytes) {
      this(source, leastBytes, () -> {});
    }
  }

  @Override
  public Result run(BenchRun session) {
    var options = session.options();
    var made = plan.apply(session);
    var tally = new Tally();
    var load =
        new RequestLoad(
            session.transport(),
            options.connections(),
            options.inFlight(),
            made.source(),
            made.leastBytes(),
            tally);
    try {
      return session.measure(this, tally);
    } finally {
      load.close();
      made.afterwards().run();
    }
  }
}
