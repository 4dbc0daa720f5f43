package dev.muster.server.routes;

import dev.muster.registry.write.WriteResult;
import dev.muster.replica.Replica;
import dev.muster.replica.object.StoredObject;
import dev.muster.types.ServedType;
import dev.muster.types.TypeTrait;
import dev.muster.types.scheduling.CpuTask;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Delays the create response of a CustomResourceDefinition until a server has written its first
 * status, so that the client's next update does not conflict. Blocks. Thread-safe.
 */
public final class CrdStatusAwaiter {
  /**
   * The longest delay. The server that writes the status may be stopped or overloaded, and the
   * object exists in any case.
   */
  private static final Duration PATIENCE = Duration.ofSeconds(1);

  private static final int CREATED = 201;

  private final Replica replica;

  public CrdStatusAwaiter(Replica replica) {
    this.replica = replica;
  }

  void await(ServedType type, WriteResult writeResult) {
    if (type.is(TypeTrait.STATUS_AT_ONCE)
        && writeResult.code() == CREATED
        && writeResult instanceof WriteResult.Stored stored) {
      try (var _ = CpuTask.waiting()) {
        await(type.storage(), stored.object());
      }
    }
  }

  private void await(String storage, StoredObject made) {
    var published = new Semaphore(0);
    long end = System.nanoTime() + PATIENCE.toNanos();
    try (var _ = replica.onChange(Set.of(storage), published::release)) {
      while (isLatest(storage, made)
          && published.tryAcquire(end - System.nanoTime(), TimeUnit.NANOSECONDS)) {
        published.drainPermits();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private boolean isLatest(String storage, StoredObject made) {
    var snapshot = replica.current();
    var name = made.name();
    var known = snapshot.collection(storage).get(name.namespace(), name.name());
    return snapshot.revision() < made.revision()
        || (known != null && known.revision() == made.revision());
  }
}
