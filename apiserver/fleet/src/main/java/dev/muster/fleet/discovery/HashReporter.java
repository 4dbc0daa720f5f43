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
 * Guarded by its own lock. Writes this server's row and removes rows that have come to an end, in
 * one update under the version that it read, so that no other server's row is ever lost.
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
   * @param gone rows that have come to an end
   * @param spare servers without an identity Lease, whose rows make room where there is none
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
   * Renews the row. Blocks; a row under an earlier ID of this server goes away with it.
   *
   * @return the rows that were removed
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

  /** Takes the row back, for good. */
  synchronized void withdraw() {
    withdrawn = true;
    var id = reported;
    if (id != null) {
      objects.change(HashRows.RESOURCE, "", HashRows.NAME, live -> HashRows.without(live, id));
    }
  }
}
