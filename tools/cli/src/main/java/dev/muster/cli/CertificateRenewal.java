package dev.muster.cli;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks certificates every hour of the wall clock on its own thread, so that a machine that slept
 * catches up at once.
 */
final class CertificateRenewal implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(CertificateRenewal.class);
  private static final Duration PAUSE = Duration.ofHours(1);
  private static final Duration LOOK = Duration.ofSeconds(10);

  private final Runnable renew;
  private final InstantSource clock;
  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(
          task -> Thread.ofPlatform().name("certificate-renewal").daemon().unstarted(task));
  private Instant last;

  private CertificateRenewal(Runnable renew, InstantSource clock) {
    this.renew = renew;
    this.clock = clock;
    this.last = clock.instant();
  }

  /**
   * @param renew replaces certificates that are near their end
   */
  static CertificateRenewal start(Runnable renew, InstantSource clock) {
    var renewal = new CertificateRenewal(renew, clock);
    long millis = LOOK.toMillis();
    var _ =
        renewal.thread.scheduleWithFixedDelay(
            renewal::check, millis, millis, TimeUnit.MILLISECONDS);
    return renewal;
  }

  /** Also checks when the clock was set back, because certificates may then not be valid yet. */
  private void check() {
    var now = clock.instant();
    if (!now.isBefore(last) && now.isBefore(last.plus(PAUSE))) {
      return;
    }
    last = now;
    try {
      renew.run();
    } catch (RuntimeException | Error e) {
      log.warn(
          "certificates that near their end cannot be renewed now, next try in an hour: {}",
          e.getMessage());
    }
  }

  @Override
  public void close() {
    thread.shutdownNow();
  }
}
