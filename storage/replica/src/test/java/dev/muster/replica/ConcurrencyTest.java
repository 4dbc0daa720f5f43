package dev.muster.replica;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.replica.snapshot.ReplicaException;
import dev.muster.replica.snapshot.Snapshot;
import dev.muster.replica.snapshot.WatchCursor;
import dev.muster.testing.ModelCheck;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.jetbrains.lincheck.LincheckAssertionError;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Validate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Publication, waiting and cursors are linearizable: the applier in one thread, readers in others.
 */
@Tag("slow")
class ConcurrencyTest {
  /** Commits, cursors and waiters; the ring grows meanwhile. */
  public static class Publication {
    private final TinyReplica replica;
    private final WatchCursor cursor;
    private final Map<CompletableFuture<Snapshot>, Long> waiting = new ConcurrentHashMap<>();

    public Publication() {
      this(new TinyReplica(15));
    }

    protected Publication(TinyReplica replica) {
      this.replica = replica;
      this.cursor = replica.watch(14);
    }

    @Operation(nonParallelGroup = "applier")
    public long commit() {
      return replica.commit();
    }

    @Operation
    public long current() {
      return replica.snapshot().revision();
    }

    @Operation(nonParallelGroup = "reader")
    public String poll() {
      return TinyReplica.poll(cursor, 2);
    }

    @Operation
    public String watchFrom15() {
      return TinyReplica.poll(replica.watch(15), 8);
    }

    @Operation
    public void await16() {
      waiting.put(replica.waiters.await(16), 16L);
    }

    @Validate
    public void nobodyIsLeftWaiting() {
      waiting.forEach(
          (answer, revision) -> {
            if (answer.isDone() != replica.snapshot().revision() >= revision) {
              throw new IllegalStateException("left waiting for " + revision);
            }
          });
    }
  }

  /** The same with a fault: waiters are served before the snapshot is published. */
  public static class ServedTooEarly extends Publication {
    public ServedTooEarly() {
      super(
          new TinyReplica(15) {
            @Override
            void publish(Snapshot snapshot) {
              waiters.serve(snapshot);
              current = snapshot;
            }
          });
    }
  }

  /** A cursor that is being overtaken by the end of the ring. */
  public static class Overtaking {
    final TinyReplica replica = new TinyReplica(5);
    private final WatchCursor cursor = replica.watch(0);

    @Operation(nonParallelGroup = "applier")
    public long commit() {
      return replica.commit();
    }

    @Operation(nonParallelGroup = "applier")
    public int drop() {
      replica.ring.trim(replica.ring.count() - 1, 0);
      return replica.ring.count();
    }

    @Operation(nonParallelGroup = "reader")
    public String poll() {
      return TinyReplica.poll(cursor, 2);
    }
  }

  /** Cursors that start where the ring ends. */
  public static class Starting {
    private final TinyReplica replica = new TinyReplica(5);

    @Operation(nonParallelGroup = "applier")
    public long commit() {
      return replica.commit();
    }

    @Operation(nonParallelGroup = "applier")
    public int drop() {
      replica.ring.trim(replica.ring.count() - 1, 0);
      return replica.ring.count();
    }

    @Operation
    public boolean canStartAfter1() {
      return canStart(1);
    }

    @Operation
    public boolean canStartAfter2() {
      return canStart(2);
    }

    private boolean canStart(long after) {
      try {
        return replica.watch(after) != null;
      } catch (ReplicaException.Expired expired) {
        return false;
      }
    }
  }

  @Test
  void publicationIsLinearizable() {
    ModelCheck.ofScenarios(0, 1).check(Publication.class);
  }

  @Test
  void cursorThatIsOvertakenExpiresOrSeesEverything() {
    ModelCheck.ofScenarios(0, 1).check(Overtaking.class);
  }

  @Test
  void cursorStartsOnlyWhereNothingIsMissing() {
    ModelCheck.ofScenarios(0, 1).check(Starting.class);
  }

  @Test
  void seededFaultIsFound() {
    assertThatThrownBy(() -> ModelCheck.ofScenarios(0, 1).forFault().check(ServedTooEarly.class))
        .isInstanceOf(LincheckAssertionError.class)
        .hasMessageContaining("left waiting");
  }
}
