package dev.muster.fleet.discovery;

import dev.muster.fleet.observation.FleetEvents;
import java.time.Duration;
import java.util.concurrent.Executor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports in the log and as an Event when the servers begin or cease to agree. One thread at a time
 * uses it. It reports only states that last, so that an orderly start or stop of a server causes no
 * report.
 */
final class AgreementEvents {
  private static final Logger log = LoggerFactory.getLogger(AgreementEvents.class);
  private static final Duration LASTS = Duration.ofSeconds(2);
  static final FleetEvents.Subject SUBJECT =
      new FleetEvents.Subject(
          "apiservercoordination.k8s.io/v1alpha1", "DiscoveryDocHashes", "", HashRows.NAME);

  private final FleetEvents events;
  private final Executor threads;
  private AgreementStatus current = AgreementStatus.UNKNOWN;
  private Duration age = Duration.ZERO;
  private String told = "";
  private boolean toldConsistent = true;

  AgreementEvents(FleetEvents events, Executor threads) {
    this.events = events;
    this.threads = threads;
  }

  void check(AgreementStatus verdict, Duration elapsed) {
    if (!verdict.equals(current)) {
      current = verdict;
      age = Duration.ZERO;
      return;
    }
    age = age.plus(elapsed);
    if (age.compareTo(LASTS) >= 0 && verdict.joined()) {
      report(verdict);
    }
  }

  /** Reports agreement only after a disagreement, not when another server joins. */
  private void report(AgreementStatus verdict) {
    var text = verdict.text();
    boolean consistent = verdict.consistent();
    if (text.equals(told) || (consistent && toldConsistent)) {
      return;
    }
    told = text;
    toldConsistent = consistent;
    if (consistent) {
      log.info("{}", text);
      threads.execute(() -> events.report(SUBJECT, false, "DiscoveryConsistent", text));
    } else {
      log.warn("{}", text);
      threads.execute(() -> events.report(SUBJECT, true, "DiscoveryInconsistent", text));
    }
  }
}
