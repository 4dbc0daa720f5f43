package dev.muster.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.muster.model.json.JsonObject;
import dev.muster.registry.admission.Admission;
import dev.muster.registry.admission.AdmissionRequest;
import dev.muster.types.scheduling.CpuTask;
import dev.muster.types.scheduling.FairScheduler;
import dev.muster.types.scheduling.WaitListener;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Writes that use the CPU for long wait for the store and for one another without a place. */
class LongWritesTest {
  private static final String MAPS = "v1/configmaps";
  private static final int WRITERS = 16;
  private static final int WRITES = 5;

  /** Every look at it is later by more than anybody may compute at a stretch. */
  private final AtomicLong time = new AtomicLong();

  private final FairScheduler scheduler =
      new FairScheduler(1, () -> time.addAndGet(TimeUnit.SECONDS.toNanos(1)));

  /** Computes for long, in steps. */
  private final Admission laborious =
      new Admission() {
        @Override
        public JsonObject admit(AdmissionRequest request) {
          for (int i = 0; i < 3 || endless; i++) {
            CpuTask.checkpoint();
          }
          return request.mustObject();
        }
      };

  private final Workbench bench = new Workbench(laborious);

  private volatile boolean endless;

  @AfterEach
  void close() {
    endless = false;
    bench.close();
    scheduler.close();
  }

  private CompletableFuture<Void> write(String user, Runnable write) {
    return CompletableFuture.runAsync(write, scheduler.of(user));
  }

  /** On a thread of its own, without a place until it turns out to be long. */
  private CompletableFuture<Void> writeShort(String user, Runnable write) {
    var done = new CompletableFuture<Void>();
    Thread.ofVirtual()
        .start(
            () ->
                scheduler.run(
                    user,
                    () -> {
                      try {
                        write.run();
                        done.complete(null);
                      } catch (RuntimeException e) {
                        done.completeExceptionally(e);
                      }
                    },
                    WaitListener.NONE));
    return done;
  }

  private void patchAll(String key) {
    for (int i = 0; i < WRITES; i++) {
      bench.patch(MAPS, "m", "", "{'data':{'" + key + "':'" + i + "'}}");
    }
  }

  /**
   * Writers take turns at the object, and turns at the one place. Somebody who waited for the first
   * with the second would keep whoever has the first from going on.
   */
  @Test
  void writersOfOneObjectNeverWaitForOneAnotherWithAPlace() {
    bench.create(MAPS, "{'metadata':{'name':'m'}}");
    bench.patience = Duration.ofSeconds(20);
    var writers = new ArrayList<CompletableFuture<Void>>();
    for (int i = 0; i < WRITERS; i++) {
      var key = "k" + i;
      var user = "user-" + i % 3;
      writers.add(
          i % 2 == 0 ? write(user, () -> patchAll(key)) : writeShort(user, () -> patchAll(key)));
    }
    writers.forEach(CompletableFuture::join);
    var data = bench.stored(MAPS, "m").object("data");
    assertThat(data.size()).isEqualTo(WRITERS);
    assertThat(data.strings().values()).containsOnly(Integer.toString(WRITES - 1));
    await().until(() -> scheduler.running() == 0 && scheduler.waiting() == 0);
  }

  @Test
  void whoWaitsForTheStoreStopsNobody() {
    bench.create(MAPS, "{'metadata':{'name':'m'}}");
    bench.feed.holdBack();
    var write = write("writer", () -> bench.patch(MAPS, "m", "", "{'data':{'a':'b'}}"));
    try {
      await().until(() -> scheduler.begun() == 1 && scheduler.running() == 0);
      write("reader", () -> assertThat(CpuTask.isInPlace()).isTrue()).join();
      assertThat(write).isNotDone();
    } finally {
      bench.feed.letGo();
    }
    write.join();
    assertThat(bench.stored(MAPS, "m").object("data").string("a")).isEqualTo("b");
  }

  @Test
  void aWriteEndsAtItsDeadlineHoweverMuchThereIsToCompute() {
    endless = true;
    bench.patience = Duration.ofMillis(200);
    var write = write("writer", () -> bench.create(MAPS, "{'metadata':{'name':'m'}}"));
    assertThat(write)
        .failsWithin(Duration.ofSeconds(30))
        .withThrowableThat()
        .withMessageContaining("request did not complete within requested timeout");
    endless = false;
    await().until(() -> scheduler.running() == 0);
    bench.patience = Duration.ofSeconds(20);
    write("writer", () -> bench.create(MAPS, "{'metadata':{'name':'m'}}")).join();
  }

  @Test
  void aWriteThatFailsGivesItsPlaceBack() {
    var write = write("writer", () -> bench.patch(MAPS, "absent", "", "{}"));
    assertThat(write).failsWithin(Duration.ofSeconds(30));
    assertThat(write.handle((ignored, failure) -> failure).join())
        .isInstanceOf(CompletionException.class);
    await().until(() -> scheduler.running() == 0);
    write("other", () -> {}).join();
  }
}
