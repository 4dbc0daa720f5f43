package dev.muster.registry.write;

import dev.muster.model.ObjectName;
import dev.muster.model.json.JsonObject;
import dev.muster.model.status.ApiException;
import dev.muster.registry.admission.Admission;
import dev.muster.registry.commit.Commits;
import dev.muster.registry.commit.WriteAttempt;
import dev.muster.registry.commit.WriteAttempts;
import dev.muster.registry.commit.WriteTerms;
import dev.muster.registry.request.Call;
import dev.muster.registry.types.ObjectMeta;
import dev.muster.registry.types.ServedType;
import dev.muster.registry.types.Types;
import dev.muster.replica.object.StoredObject;
import dev.muster.replica.object.WrittenTree;
import dev.muster.schema.storage.StorageCodec;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * What every write handler needs.
 *
 * @param attempts carries out what the handlers want to write
 * @param mayCreate asked when a change creates what it does not find
 * @param uids makes a new UID each time
 * @param types the types of the moment
 * @param publicPrefix the prefix of keys as upstream's messages show them
 */
public record WriteContext(
    WriteAttempts attempts,
    StorageCodec codec,
    Admission admission,
    CreatePermission mayCreate,
    Allocations allocations,
    Clock clock,
    RandomGenerator random,
    Supplier<String> uids,
    Supplier<Types> types,
    String publicPrefix) {

  public Commits commits() {
    return attempts.commits();
  }

  /**
   * Carries a write out. What is too large for the store is tried again without the owners of its
   * fields, which may take as much room as the fields, unless they are what the client asked for.
   *
   * @param attempt makes attempts that treat owners so
   */
  Outcome carryOut(
      WriteTerms terms,
      WriteSemantics semantics,
      Function<WriteSemantics, WriteAttempt<Outcome>> attempt) {
    try {
      return attempts.carryOut(terms, attempt.apply(semantics));
    } catch (ApiException e) {
      if (!Commits.isTooLarge(e) || semantics.owners() != WriteSemantics.Owners.TRACKED) {
        throw e;
      }
      return attempts.carryOut(terms, attempt.apply(semantics.withoutOwners()));
    }
  }

  /** The value to store for an object of that type. */
  byte[] encoded(ServedType type, JsonObject object) {
    return codec.encode(type.forStore(object));
  }

  /** The value to store for an object of that type that was made of a stored one. */
  byte[] encoded(ServedType type, JsonObject object, StoredObject former) {
    var written = former.written();
    return codec.encode(
        type.forStore(object),
        written == null ? null : new StorageCodec.Written(written.tree(), former.json()));
  }

  /** The answer that shows an object as that commit wrote it. */
  Outcome stored(int code, Call call, JsonObject object, long revision) {
    var name = new ObjectName(call.namespace(), ObjectMeta.name(object));
    var stored = commits().written(call.type().storage(), name, revision, call.deadline());
    return stored == null
        ? new Outcome.Shown(
            code, ObjectMeta.with(object, "resourceVersion", Long.toString(revision)))
        : new Outcome.Stored(code, stored);
  }

  /** The answer that shows an object as that commit wrote it, whose tree the next change needs. */
  Outcome remembered(int code, Call call, WrittenTree tree, long revision) {
    var outcome = stored(code, call, tree.tree(), revision);
    if (outcome instanceof Outcome.Stored(var ignored, var object) && isAsWritten(call)) {
      commits().remember(call.type().storage(), object, tree);
    }
    return outcome;
  }

  /** Whether the replica holds an object in the version in which it was written. */
  private static boolean isAsWritten(Call call) {
    return !call.type().isCustom() || call.type().isStoredVersion();
  }

  /** The time as Kubernetes writes it: whole seconds. */
  public Instant now() {
    return clock.instant().truncatedTo(ChronoUnit.SECONDS);
  }
}
