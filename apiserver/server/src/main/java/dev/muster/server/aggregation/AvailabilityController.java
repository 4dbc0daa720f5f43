package dev.muster.server.aggregation;

import dev.muster.replica.Replica;
import dev.muster.replica.snapshot.Snapshot;
import dev.muster.types.SnapshotView;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Maintains the {@code Available} condition of APIServices. It checks again when the APIService,
 * its Service or the endpoints change, and periodically. {@link #run} occupies one virtual thread,
 * and each check runs on another. Every server of the fleet does so, and writes nothing if the
 * condition is up to date.
 */
public final class AvailabilityController implements Runnable {
  private static final Logger LOG = LoggerFactory.getLogger(AvailabilityController.class);
  private static final Duration PERIOD = Duration.ofSeconds(30);
  private static final Duration FIRST_RETRY = Duration.ofMillis(250);
  private static final String SERVICES = "/services/specs";
  private static final String SLICES = "/endpointslices";
  private static final String OWNER = "kubernetes.io/service-name";

  /** The inputs of a check: another check is due when they change. */
  private record Inputs(AggregatedApi api, long service, long endpoints) {
    static Inputs of(AggregatedApi api, Snapshot snapshot) {
      var wanted = api.service();
      var service = snapshot.collection(SERVICES).get(wanted.namespace(), wanted.name());
      long endpoints = 0;
      var slices = snapshot.collection(SLICES).withLabel(OWNER, wanted.name(), wanted.namespace());
      for (var slice : slices) {
        endpoints = 31 * endpoints + slice.revision();
      }
      return new Inputs(api, service == null ? 0 : service.revision(), endpoints);
    }

    boolean isSameAs(Inputs other) {
      return api.isReachedAs(other.api) && service == other.service && endpoints == other.endpoints;
    }
  }

  /** The state of one APIService; its own lock protects it. */
  private static final class Watched {
    private @Nullable Inputs seen;
    private boolean underWay;
    private long due = System.nanoTime();
    private Duration retry = FIRST_RETRY;
    private long told = System.nanoTime() - PERIOD.toNanos();

    synchronized boolean begin(Inputs inputs) {
      var before = seen;
      boolean changed = before == null || !inputs.isSameAs(before);
      if (underWay || (!changed && System.nanoTime() - due < 0)) {
        return false;
      }
      if (changed) {
        retry = FIRST_RETRY;
      }
      seen = inputs;
      underWay = true;
      return true;
    }

    synchronized void end(boolean available) {
      underWay = false;
      var pause = available ? PERIOD : retry;
      retry = available ? FIRST_RETRY : shorter(retry.multipliedBy(2), PERIOD);
      due = System.nanoTime() + pause.toNanos();
    }

    /** Whether a change of the message alone may be written now; this is limited in rate. */
    synchronized boolean mayRepeat() {
      if (System.nanoTime() - told < PERIOD.toNanos()) {
        return false;
      }
      told = System.nanoTime();
      return true;
    }

    private static Duration shorter(Duration one, Duration other) {
      return one.compareTo(other) < 0 ? one : other;
    }
  }

  private final AggregatedApis apis;
  private final AvailabilityCheck check;
  private final AvailabilityStatus status;
  private final Replica replica;
  private final Executor threads;
  private final BooleanSupplier stopped;
  private final Map<String, Watched> watched = new HashMap<>();
  private final Semaphore news = new Semaphore(1);

  public AvailabilityController(
      AggregatedApis apis,
      AggregatedBackends backends,
      AvailabilityStatus status,
      Replica replica,
      Executor threads,
      BooleanSupplier stopped) {
    this.apis = apis;
    this.check = new AvailabilityCheck(backends, threads);
    this.status = status;
    this.replica = replica;
    this.threads = threads;
    this.stopped = stopped;
  }

  @Override
  public void run() {
    try (var _ =
        replica.onChange(Set.of(AggregatedApis.STORAGE, SERVICES, SLICES), news::release)) {
      while (!stopped.getAsBoolean()) {
        var _ = news.tryAcquire(FIRST_RETRY.toMillis(), TimeUnit.MILLISECONDS);
        news.drainPermits();
        if (replica.ready()) {
          check();
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void check() {
    try {
      for (var name : apis.unmarkedLocal()) {
        status.write(name, null, AvailableCondition.LOCAL, () -> true);
      }
      var snapshot = replica.current();
      var names = new HashSet<String>();
      for (var api : apis.all()) {
        names.add(api.name());
        var state = watched.computeIfAbsent(api.name(), absent -> new Watched());
        if (state.begin(Inputs.of(api, snapshot))) {
          threads.execute(() -> evaluate(api, state));
        }
      }
      watched.keySet().retainAll(names);
    } catch (RuntimeException e) {
      LOG.warn("APIServices are looked at later: {}", e.toString());
    }
  }

  private void evaluate(AggregatedApi api, Watched state) {
    boolean good = false;
    try {
      var condition =
          AvailabilityCheck.obstacle(api, new SnapshotView(replica.current()))
              .orElseGet(() -> check.ask(api, () -> new SnapshotView(replica.current())));
      status.write(api.name(), api, condition, state::mayRepeat);
      good = condition.available();
    } catch (RuntimeException | Error e) {
      if (!stopped.getAsBoolean()) {
        LOG.warn("the status of APIService {} is left for later: {}", api.name(), e.toString());
      }
    } finally {
      state.end(good);
    }
  }
}
