package dev.muster.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import dev.muster.embedded.TestCluster;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/** Test classes that are run by a test. */
@SuppressWarnings("NullAway") // The extension fills in the fields.
class MusterExtensionTest {
  private static void make(KubernetesClient client, String name) {
    var map = new ConfigMapBuilder().withNewMetadata().withName(name).endMetadata().build();
    client.configMaps().resource(map).create();
  }

  /** Fails after it has made something, and cleans up. */
  @Muster(controllers = {})
  static class Failing {
    KubernetesClient client;

    @Test
    void fails() {
      make(client, "culprit");
      throw new AssertionError("on purpose");
    }

    @AfterEach
    void cleanUp() {
      client.configMaps().withName("culprit").delete();
    }
  }

  @Test
  void aFailedTestShowsWhatItHasDone() {
    var shown = new ByteArrayOutputStream();
    var before = System.err;
    System.setErr(new PrintStream(shown, true, StandardCharsets.UTF_8));
    try {
      assertThat(run(Failing.class).getTotalFailureCount()).isEqualTo(1);
    } finally {
      System.setErr(before);
    }
    assertThat(shown.toString(StandardCharsets.UTF_8))
        .contains("fails() failed. What it has done to the cluster:")
        .contains("kind: ConfigMap")
        .containsOnlyOnce("name: culprit");
  }

  /** Would find what another repetition has made if they ran at the same time. */
  @Muster(controllers = {})
  @Execution(ExecutionMode.CONCURRENT)
  static class Parallel {
    @RepeatedTest(8)
    void hasTheClusterForItself(TestCluster cluster) {
      assertThat(cluster.client().configMaps().list().getItems()).isEmpty();
      make(cluster.client(), "mine");
      assertThat(cluster.client().configMaps().list().getItems()).hasSize(1);
    }
  }

  @Test
  void testsThatRunInParallelDoNotDisturbOneAnother() {
    var summary = run(Parallel.class);
    assertThat(summary.getFailures()).isEmpty();
    assertThat(summary.getTestsSucceededCount()).isEqualTo(8);
  }

  /** Says two things about one cluster. */
  @Muster(servers = 2)
  static class Contradicting {
    @Muster(servers = 3)
    TestCluster cluster;

    @Test
    void neverRuns() {}
  }

  @Test
  void contradictionsAreRefused() {
    assertThat(run(Contradicting.class).getFailures())
        .extracting(failure -> failure.getException().getMessage())
        .containsExactly(
            Contradicting.class.getName()
                + ": @Muster says different things about the cluster \"\"");
  }

  private static TestExecutionSummary run(Class<?> type) {
    var listener = new SummaryGeneratingListener();
    var request =
        LauncherDiscoveryRequestBuilder.request()
            .selectors(selectClass(type))
            .configurationParameter("junit.jupiter.execution.parallel.enabled", "true")
            .configurationParameter("junit.jupiter.execution.parallel.config.strategy", "fixed")
            .configurationParameter(
                "junit.jupiter.execution.parallel.config.fixed.parallelism", "4")
            .build();
    LauncherFactory.create().execute(request, listener);
    return listener.getSummary();
  }
}
