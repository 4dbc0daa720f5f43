package dev.muster.server.aggregation;

import dev.muster.registry.connect.ServiceBackend;
import dev.muster.replica.Replica;
import dev.muster.server.proxy.BackendException;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Fetches documents of aggregated API servers, when their APIService changes and periodically. If a
 * fetch fails, the last document stays, marked as outdated. {@link #run} occupies one virtual
 * thread, and each download runs on another; {@link #now} is thread-safe.
 */
final class RemoteDocuments<T> implements Runnable {
  private static final Logger LOG = LoggerFactory.getLogger(RemoteDocuments.class);
  private static final Duration FIRST_RETRY = Duration.ofMillis(500);

  /** Fetches the document of a server. Blocks. */
  interface Fetch<T> {
    T of(AggregatedApi api) throws BackendException, ServiceBackend.Missing;
  }

  /**
   * The state of one server.
   *
   * @param document empty when it was never fetched
   * @param current whether the last fetch succeeded
   */
  record Fetched<T>(Optional<T> document, boolean current) {}

  private static final class Watched {
    private AggregatedApi seen;
    private boolean underWay;
    private long due = System.nanoTime();
    private Duration retry = FIRST_RETRY;

    Watched(AggregatedApi api) {
      this.seen = api;
    }

    synchronized boolean begin(AggregatedApi api) {
      boolean changed = api.revision() != seen.revision();
      if (underWay || (!changed && System.nanoTime() - due < 0)) {
        return false;
      }
      seen = api;
      underWay = true;
      if (changed) {
        retry = FIRST_RETRY;
      }
      return true;
    }

    synchronized void end(boolean fetched, Duration period) {
      underWay = false;
      due = System.nanoTime() + (fetched ? period : retry).toNanos();
      var twice = retry.multipliedBy(2);
      retry = fetched ? FIRST_RETRY : twice.compareTo(period) < 0 ? twice : period;
    }
  }

  private final String what;
  private final AggregatedApis apis;
  private final Fetch<T> fetch;
  private final Duration period;
  private final Replica replica;
  private final Executor threads;
  private final BooleanSupplier stopped;
  private final Map<String, Watched> watched = new HashMap<>();
  private final Semaphore news = new Semaphore(1);
  private volatile Map<String, Fetched<T>> fetched = Map.of();

  /**
   * @param what the name of the document in the log
   */
  RemoteDocuments(
      String what,
      AggregatedApis apis,
      Fetch<T> fetch,
      Duration period,
      Replica replica,
      Executor threads,
      BooleanSupplier stopped) {
    this.what = what;
    this.apis = apis;
    this.fetch = fetch;
    this.period = period;
    this.replica = replica;
    this.threads = threads;
    this.stopped = stopped;
  }

  /** All documents by the names of APIServices; the same instance while nothing changes. */
  Map<String, Fetched<T>> now() {
    return fetched;
  }

  @Override
  public void run() {
    try (var _ = replica.onChange(Set.of(AggregatedApis.STORAGE), news::release)) {
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
    var names = new HashSet<String>();
    for (var api : apis.all()) {
      names.add(api.name());
      var state = watched.computeIfAbsent(api.name(), absent -> new Watched(api));
      if (state.begin(api)) {
        threads.execute(() -> download(api, state));
      }
    }
    if (watched.keySet().retainAll(names)) {
      forgetOthers(names);
    }
  }

  private void download(AggregatedApi api, Watched state) {
    boolean done = false;
    try {
      var document = fetch.of(api);
      keep(api.name(), new Fetched<>(Optional.of(document), true));
      done = true;
    } catch (BackendException e) {
      outdated(api, e.text());
    } catch (ServiceBackend.Missing e) {
      outdated(api, e.text());
    } catch (RuntimeException | Error e) {
      outdated(api, e.toString());
    } finally {
      state.end(done, period);
    }
  }

  private void outdated(AggregatedApi api, String why) {
    LOG.debug("{} of {} cannot be fetched: {}", what, api.name(), why);
    var before = fetched.get(api.name());
    keep(api.name(), new Fetched<>(before == null ? Optional.empty() : before.document(), false));
  }

  private synchronized void keep(String name, Fetched<T> now) {
    if (now.equals(fetched.get(name)) || apis.availability().get(name) == null) {
      return;
    }
    var all = new HashMap<>(fetched);
    all.put(name, now);
    fetched = Map.copyOf(all);
  }

  private synchronized void forgetOthers(Set<String> names) {
    var left = new HashMap<>(fetched);
    left.keySet().retainAll(names);
    fetched = Map.copyOf(left);
  }
}
