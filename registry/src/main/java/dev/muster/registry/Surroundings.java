package dev.muster.registry;

import dev.muster.registry.admission.Admission;
import dev.muster.registry.types.Types;
import dev.muster.schema.StorageCodec;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * What every write handler needs around it.
 *
 * @param mayCreate asked when a change creates what it does not find
 * @param uids makes a new UID each time
 * @param types the types of the moment
 * @param publicPrefix the prefix of keys as upstream's messages show them
 */
public record Surroundings(
    Commits commits,
    StorageCodec codec,
    Admission admission,
    CreatePermission mayCreate,
    Allocations allocations,
    Clock clock,
    RandomGenerator random,
    Supplier<String> uids,
    Supplier<Types> types,
    String publicPrefix) {

  /** The time as Kubernetes writes it: whole seconds. */
  Instant now() {
    return clock.instant().truncatedTo(ChronoUnit.SECONDS);
  }
}
