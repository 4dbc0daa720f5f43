package dev.muster.types;

import static org.assertj.core.api.Assertions.as;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.model.json.JsonObject;
import dev.muster.model.status.ApiException;
import dev.muster.registry.Workbench;
import dev.muster.types.options.DeleteOptions;
import dev.muster.types.options.Query;
import java.time.Instant;
import java.util.Objects;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DeletionTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

  private static Deletion deletion(String resource, String object, String query) {
    var parts = resource.split("/");
    var type =
        Objects.requireNonNull(
            parts.length == 2
                ? Workbench.TYPES.find("", parts[0], parts[1])
                : Workbench.TYPES.find(parts[0], parts[1], parts[2]));
    var options = DeleteOptions.of(null, Query.parse(query));
    return type.strategy().deletion(Workbench.json(object), options, NOW);
  }

  private static JsonObject marked(String resource, String object, String query) {
    return ((Deletion.Mark) deletion(resource, object, query)).marked().object("metadata");
  }

  @ParameterizedTest
  @CsvSource({
    "orphanDependents=false,[foregroundDeletion]",
    "orphanDependents=true,[orphan]",
    "propagationPolicy=Foreground,[foregroundDeletion]",
    "propagationPolicy=Background,[]"
  })
  void aNamespaceWaitsForDependentsThatAreNotOrphaned(String query, String finalizers) {
    var metadata = marked("v1/namespaces", "{'spec':{'finalizers':['kubernetes']}}", query);
    assertThat(metadata.array("finalizers").strings()).hasToString(finalizers);
  }

  @Test
  void aNamespaceThatNothingFillsWaitsForItsOwnFinalizers() {
    var ends = "{'metadata':{'deletionTimestamp':'2026-01-01T00:00:00Z','finalizers':[%s]}}";
    assertThat(marked("v1/namespaces", ends.formatted("'a.b/c'"), "").toString())
        .contains("\"deletionGracePeriodSeconds\":0");
    assertThat(deletion("v1/namespaces", ends.formatted(""), ""))
        .isInstanceOf(Deletion.Remove.class);
  }

  @Test
  void podsOfAJobAreWarnedAboutEvenWhenThereIsNoJob() {
    try (var bench = new Workbench()) {
      var silent = DeleteOptions.of(null, Query.NONE);
      assertThatThrownBy(
              () -> bench.handlers.deletes().delete(bench.call("batch/v1/jobs", "j", ""), silent))
          .hasMessage("jobs.batch \"j\" not found");
      assertThat(bench.warnings)
          .singleElement(as(InstanceOfAssertFactories.STRING))
          .startsWith("child pods are preserved by default when jobs are deleted");
      bench.warnings.clear();
      var plain = DeleteOptions.of(null, Query.parse("propagationPolicy=Orphan"));
      assertThatThrownBy(
              () -> bench.handlers.deletes().delete(bench.call("batch/v1/jobs", "j", ""), plain))
          .hasMessage("jobs.batch \"j\" not found");
      assertThat(bench.warnings).isEmpty();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "'',left",
    "propagationPolicy=Foreground,left",
    "gracePeriodSeconds=60,left",
    "gracePeriodSeconds=90,left",
    "gracePeriodSeconds=40,2026-01-01T00:00:10Z 40",
    "gracePeriodSeconds=20,2026-01-01T00:00:00Z 1",
    "gracePeriodSeconds=0,removed",
  })
  void aPodThatIsBeingDeletedCanOnlyGoSooner(String query, String outcome) {
    var pod =
        "{'metadata':{'deletionTimestamp':'2026-01-01T00:00:30Z','deletionGracePeriodSeconds':60},"
            + "'spec':{'nodeName':'n','terminationGracePeriodSeconds':30}}";
    var said =
        switch (deletion("v1/pods", pod, query)) {
          case Deletion.Leave ignored -> "left";
          case Deletion.Remove ignored -> "removed";
          case Deletion.Mark mark -> {
            var metadata = mark.marked().object("metadata");
            yield metadata.string("deletionTimestamp")
                + " "
                + metadata.integer("deletionGracePeriodSeconds", 0);
          }
        };
    assertThat(said).isEqualTo(outcome);
  }

  @Test
  void nobodyDependsOnAnEvent() {
    for (var resource : new String[] {"v1/events", "events.k8s.io/v1/events"}) {
      assertThat(deletion(resource, "{}", "propagationPolicy=Foreground"))
          .isInstanceOf(Deletion.Remove.class);
    }
    assertThat(deletion("v1/configmaps", "{}", "propagationPolicy=Foreground"))
        .isInstanceOf(Deletion.Mark.class);
  }

  @Test
  void whoeverLetsTheServerChooseANameMayTryAgain() {
    try (var bench = new Workbench()) {
      bench.create("v1/configmaps", "{'metadata':{'name':'x'}}");
      assertThatThrownBy(
              () -> bench.create("v1/configmaps", "{'metadata':{'name':'x','generateName':'y'}}"))
          .hasMessage(
              "configmaps \"x\" already exists, the server was not able to generate a unique name"
                  + " for the object")
          .satisfies(
              e -> assertThat(((ApiException) e).details().retryAfterSeconds()).isEqualTo(1));
    }
  }
}
