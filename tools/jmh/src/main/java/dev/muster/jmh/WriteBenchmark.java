package dev.muster.jmh;

import dev.cel.common.types.SimpleType;
import dev.muster.cel.Checked;
import dev.muster.cel.ExpressionChecker;
import dev.muster.cel.StructTypes;
import dev.muster.cel.run.Program;
import dev.muster.cel.run.Variables;
import dev.muster.cel.run.cost.CostBudget;
import dev.muster.cel.value.CelList;
import dev.muster.cel.value.CelMap;
import dev.muster.model.GroupVersion;
import dev.muster.model.json.Json;
import dev.muster.model.json.JsonObject;
import dev.muster.patch.ownership.FieldOwnership;
import dev.muster.patch.ownership.Versions;
import dev.muster.patch.ownership.fields.FieldFilter;
import dev.muster.patch.ownership.fields.FieldSet;
import dev.muster.schema.Schemas;
import dev.muster.schema.read.TypedReader;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** What writes cost beyond reading and writing their object. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class WriteBenchmark {
  private static final Instant NOW = Instant.parse("2026-02-01T00:00:00Z");

  private final FieldOwnership ownership;
  private final JsonObject live;
  private final JsonObject changed;
  private final Program rule =
      program("self.size <= 10 && self.name.startsWith('web') && self.items.all(i, i != '')");
  private final Variables variables =
      Variables.of(
          Map.of(
              "self",
              CelMap.of(
                  Map.of("name", "web-1", "size", 3L, "items", CelList.of(List.of("a", "b"))))));

  public WriteBenchmark() {
    var kind = GroupVersion.parse("v1").kind("Pod");
    var shape = Objects.requireNonNull(Schemas.of(kind));
    ownership =
        new FieldOwnership(
            shape, kind, "", FieldFilter.without(FieldSet.of("status")), Versions.ONE);
    var pod = TypedReader.normal(shape, SamplePod.tree());
    live = ownership.afterWrite(null, pod.withoutAt("metadata", "managedFields"), "maker", NOW);
    changed = live.withAt(Json.of("yes"), "metadata", "labels", "changed");
  }

  private static Program program(String expression) {
    var checker =
        ExpressionChecker.of(
            Map.of("self", SimpleType.DYN),
            new StructTypes(Map.of(), ""),
            ExpressionChecker.Extra.BINDINGS);
    if (checker.check(expression) instanceof Checked.Sound sound) {
      return Program.of(sound);
    }
    throw new IllegalStateException(expression);
  }

  @Benchmark
  public JsonObject managedFields() {
    return ownership.afterWrite(live, changed, "editor", NOW);
  }

  @Benchmark
  public Object celRule() {
    return rule.evaluate(variables, CostBudget.standard());
  }
}
