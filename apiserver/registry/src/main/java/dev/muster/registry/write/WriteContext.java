package dev.muster.registry.write;

import dev.muster.model.ObjectName;
import dev.muster.model.json.JsonObject;
import dev.muster.model.status.ApiException;
import dev.muster.registry.admission.Admission;
import dev.muster.registry.commit.OptimisticWriter;
import dev.muster.registry.commit.StoreGateway;
import dev.muster.registry.commit.WriteAttempt;
import dev.muster.registry.commit.WriteConstraints;
import dev.muster.registry.request.ResourceRequest;
import dev.muster.replica.object.StoredObject;
import dev.muster.replica.object.WrittenTree;
import dev.muster.schema.storage.StorageCodec;
import dev.muster.types.ObjectMeta;
import dev.muster.types.ServedType;
import dev.muster.types.Types;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * The dependencies of all write handlers.
 *
 * @param attempts carries out writes
 * @param mayCreate checks the permission when an update creates its object
 * @param uids generates UIDs
 * @param types the types of the newest snapshot
 * @param publicPrefix the key prefix that upstream's messages show
 */
public record WriteContext(
    OptimisticWriter attempts,
    StorageCodec codec,
    Admission admission,
    CreatePermission mayCreate,
    Allocations allocations,
    Clock clock,
    RandomGenerator random,
    Supplier<String> uids,
    Supplier<Types> types,
    String publicPrefix) {

  public StoreGateway commits() {
    return attempts.commits();
  }

  /**
   * Carries out a write. If the object is too large for the store, tries again without
   * managedFields, which can take as much room as the fields themselves, unless the client's
   * request sets them.
   *
   * @param attempt makes an attempt for the given treatment of owners
   */
  WriteResult carryOut(
      WriteConstraints terms,
      WriteSemantics semantics,
      Function<WriteSemantics, WriteAttempt<WriteResult>> attempt) {
    try {
      return attempts.carryOut(terms, attempt.apply(semantics));
    } catch (ApiException e) {
      if (!StoreGateway.isTooLarge(e) || semantics.owners() != WriteSemantics.Owners.TRACKED) {
        throw e;
      }
      return attempts.carryOut(terms, attempt.apply(semantics.withoutOwners()));
    }
  }

  /** The encoded value of an object of that type. */
  byte[] encoded(ServedType type, JsonObject object) {
    return codec.encode(type.forStore(object));
  }

  /** The encoded value of an object of that type that was made from a stored one. */
  byte[] encoded(ServedType type, JsonObject object, StoredObject former) {
    var written = former.written();
    return codec.encode(
        type.forStore(object),
        written == null ? null : new StorageCodec.Written(written.tree(), former.json()));
  }

  /** The answer with the object as the commit wrote it. */
  WriteResult stored(int code, ResourceRequest resourceRequest, JsonObject object, long revision) {
    var name = new ObjectName(resourceRequest.namespace(), ObjectMeta.name(object));
    var stored =
        commits()
            .written(resourceRequest.type().storage(), name, revision, resourceRequest.deadline());
    return stored == null
        ? new WriteResult.Shown(
            code, ObjectMeta.with(object, "resourceVersion", Long.toString(revision)))
        : new WriteResult.Stored(code, stored);
  }

  /** The answer with the object as the commit wrote it; caches the tree for the next update. */
  WriteResult remembered(
      int code, ResourceRequest resourceRequest, WrittenTree tree, long revision) {
    var writeResult = stored(code, resourceRequest, tree.tree(), revision);
    if (writeResult instanceof WriteResult.Stored(var ignored, var object)
        && isAsWritten(resourceRequest)) {
      commits().remember(resourceRequest.type().storage(), object, tree);
    }
    return writeResult;
  }

  /** Whether the replica holds the object in the version in which it was written. */
  private static boolean isAsWritten(ResourceRequest resourceRequest) {
    return !resourceRequest.type().isCustom() || resourceRequest.type().isStoredVersion();
  }

  /** The current time in whole seconds, the precision of Kubernetes timestamps. */
  public Instant now() {
    return clock.instant().truncatedTo(ChronoUnit.SECONDS);
  }
}
