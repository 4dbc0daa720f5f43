package dev.muster.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.bench.client.BenchFailure;
import dev.muster.bench.client.BenchTarget;
import dev.muster.bench.definitions.DefinitionsBench;
import dev.muster.bench.definitions.GeneratedDefinition;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("slow")
class BenchTest {
  @TempDir private Path folder;
  private FakeApiServer server;

  @BeforeEach
  void startServer() throws IOException {
    server = new FakeApiServer();
  }

  @AfterEach
  void stopServer() {
    server.close();
  }

  @Test
  void everyScenarioMeasuresSomethingAndNothingIsLeftBehind() throws IOException {
    var results = bench(List.of()).run(result -> {});
    assertThat(results)
        .extracting(Result::scenario)
        .containsExactly(
            "memory-idle",
            "get",
            "get-cached",
            "list",
            "list-cached",
            "list-protobuf",
            "create",
            "create-policy",
            "create-policies",
            "create-webhook",
            "patch",
            "patch-contended",
            "apply",
            "update-pod",
            "discovery",
            "watch",
            "kubelets",
            "custom-get",
            "custom-list",
            "custom-create",
            "custom-update",
            "custom-apply-noop",
            "custom-get-rules",
            "custom-list-rules",
            "custom-create-rules",
            "custom-update-rules",
            "custom-apply-noop-rules",
            "memory-loaded");
    assertThat(results)
        .allSatisfy(
            result -> {
              assertThat(result.errors()).as(result.scenario()).isZero();
              assertThat(result.firstError()).isNull();
              assertThat(result.residentBytes()).isPresent();
            });
    assertThat(results)
        .filteredOn(result -> !result.scenario().startsWith("memory"))
        .allSatisfy(
            result -> {
              assertThat(result.requests()).as(result.scenario()).isPositive();
              assertThat(result.millis(99)).isGreaterThanOrEqualTo(result.millis(50));
              assertThat(result.millis(50)).isPositive();
              assertThat(result.cpuMicrosPerRequest()).isPresent();
            });
    assertThat(server.objects).isEmpty();
  }

  @Test
  void definitionsAreCountedOneByOneAndNothingIsLeftBehind() throws IOException {
    var bench =
        new DefinitionsBench(
            BenchTarget.read(server.kubeconfig(folder), null),
            new ServerProcesses(List.of(ProcessHandle.current().pid())),
            options(List.of(), null),
            new Progress(new PrintStream(System.out), false));
    var results = bench.run(result -> {});
    assertThat(results)
        .filteredOn(result -> result.scenario().startsWith("definitions"))
        .hasSize(2)
        .allSatisfy(result -> assertThat(result.requests()).isEqualTo(5));
    assertThat(bench.summary())
        .contains(
            "CPU per definition: ",
            "5 of 5 definitions were served at the first",
            "heap after a collection per definition: ")
        .contains("until it is served: ", "other requests: p99 ");
    assertThat(server.objects).isEmpty();
  }

  @Test
  void everyDefinitionHasTheSchemaOfItsNumber() {
    var definition = new GeneratedDefinition("x", 31);
    assertThat(definition.json(0)).isEqualTo(definition.json(0)).hasSizeBetween(44_000, 50_000);
    assertThat(definition.name()).isEqualTo("resources31.service-1.x.example.com");
  }

  @Test
  void answersThatAreNotSuccessesCountAsErrorsAndTheFirstIsShown() throws IOException {
    server.broken = true;
    var results = bench(List.of("discovery")).run(result -> {});
    assertThat(results).hasSize(1);
    assertThat(results.getFirst().requests()).isZero();
    assertThat(results.getFirst().errors()).isPositive();
    assertThat(results.getFirst().firstError())
        .isEqualTo("500 {\"message\":\"broken on purpose\"}");
  }

  @Test
  void aServerThatIsNotThereIsNamedInOneLine() throws IOException {
    var bench = bench(List.of("get"));
    server.close();
    assertThatThrownBy(() -> bench.run(result -> {}))
        .isInstanceOf(BenchFailure.class)
        .hasMessageContaining("cannot connect");
  }

  @Test
  void aScenarioThatDoesNotExistIsRefused() {
    assertThatThrownBy(() -> bench(List.of("nope")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("--scenario: \"nope\" is not one of start, memory-idle, get,");
  }

  @Test
  void startIsMeasuredWithACommandOfTheUser() throws IOException {
    // The server is there already, so that the scenario must refuse to measure.
    var options = options(List.of("start"), "sleep 60");
    var results = bench(options).run(result -> {});
    assertThat(results.getFirst().firstError()).contains("already answers");
  }

  private Bench bench(List<String> scenarios) throws IOException {
    return bench(options(scenarios, null));
  }

  private Bench bench(BenchOptions options) throws IOException {
    return new Bench(
        BenchTarget.read(server.kubeconfig(folder), null),
        new ServerProcesses(List.of(ProcessHandle.current().pid())),
        options,
        new Progress(new PrintStream(System.out), false));
  }

  private static BenchOptions options(List<String> scenarios, @Nullable String startCommand) {
    return new BenchOptions(
        scenarios,
        Duration.ofMillis(100),
        Duration.ofSeconds(1),
        2,
        2,
        1,
        50,
        4,
        1024,
        startCommand,
        2,
        5,
        new BenchOptions.Kubelets(4, 12, 50));
  }
}
