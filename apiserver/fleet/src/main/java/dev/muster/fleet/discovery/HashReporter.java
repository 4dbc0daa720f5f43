package dev.muster.fleet.discovery;

import dev.muster.fleet.discovery.HashRows.Row;
import dev.muster.fleet.identity.ServerId;
import dev.muster.server.start.RegistryObjects;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Writes this server's row and removes expired rows, in one update of the version that it has read,
 * so that no row of another server is lost. Its own lock protects it.
 */
final class HashReporter {
  private final RegistryObjects objects;
  private final Supplier<String> hash;
  private final InstantSource clock;
  private final Duration period;
  private final Supplier<Set<Row>> gone;
  private final Supplier<List<String>> spare;
  private @Nullable String reported;
  private boolean withdrawn;

  /**
   * @param period how often the row is renewed
   * @param gone expired rows
   * @param spare servers without an identity Lease, whose rows are removed when the object is full
   */
  HashReporter(
      RegistryObjects objects,
      Supplier<String> hash,
      InstantSource clock,
      Duration period,
      Supplier<Set<Row>> gone,
      Supplier<List<String>> spare) {
    this.objects = objects;
    this.hash = hash;
    this.clock = clock;
    this.period = period;
    this.gone = gone;
    this.spare = spare;
  }

  /**
   * Renews the row, and removes a row under an earlier ID of this server. Blocks.
   *
   * @return the removed rows
   */
  synchronized Set<Row> report(ServerId id) {
    if (withdrawn) {
      return Set.of();
    }
    var removed = new HashSet<Row>();
    objects.change(
        HashRows.RESOURCE,
        "",
        HashRows.NAME,
        live -> {
          removed.clear();
          var ending = gone.get();
          HashRows.read(live).stream().filter(ending::contains).forEach(removed::add);
          var base =
              reported == null || reported.equals(id.toString())
                  ? null
                  : HashRows.without(live, reported);
          return HashRows.with(
              base == null ? live : base,
              id.toString(),
              hash.get(),
              clock.instant(),
              period,
              ending,
              spare.get());
        });
    reported = id.toString();
    return removed;
  }

  /** Removes the row for good. */
  synchronized void withdraw() {
    withdrawn = true;
    var id = reported;
    if (id != null) {
      objects.change(HashRows.RESOURCE, "", HashRows.NAME, live -> HashRows.without(live, id));
    }
  }
}
