package dev.muster.jmh;

import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonObject;
import dev.muster.model.select.LabelSelector;
import dev.muster.replica.object.EventKind;
import dev.muster.types.table.PodTable;
import dev.muster.wire.JsonReader;
import dev.muster.wire.JsonWriter;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** What is done with a single object on its way in and out. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class ObjectBenchmark {
  private final JsonObject pod = SamplePod.tree();
  private final byte[] bytes = SamplePod.bytes();
  private final Map<String, String> labels = pod.object("metadata").object("labels").strings();
  private final LabelSelector selector =
      LabelSelector.parse("app in (web, api),pod-template-hash,!canary");
  private final Instant now = Instant.parse("2026-02-01T00:00:00Z");

  @Benchmark
  public Json readPod() {
    return JsonReader.read(bytes);
  }

  @Benchmark
  public byte[] writePod() {
    return JsonWriter.bytes(pod);
  }

  @Benchmark
  public JsonArray tableCells() {
    return PodTable.SPEC.cells(pod, now);
  }

  @Benchmark
  public boolean labelSelector() {
    return selector.matches(labels);
  }

  @Benchmark
  public byte[] watchEvent() {
    return EventKind.MODIFIED.jsonFrame(bytes);
  }
}
