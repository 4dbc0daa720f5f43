package dev.muster.registry;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Objects that are written in one version and then in another. */
class VersionsTest {
  private static final String RESOURCE = "/horizontalpodautoscalers";

  private final Workbench bench = new Workbench();

  @AfterEach
  void close() {
    bench.close();
  }

  private void apply(String version, String spec) {
    var object =
        "{'apiVersion':'"
            + version
            + "','kind':'HorizontalPodAutoscaler','metadata':{'name':'h'},'spec':{'maxReplicas':3,"
            + "'scaleTargetRef':{'apiVersion':'apps/v1','kind':'Deployment','name':'d'}"
            + spec
            + "}}";
    bench
        .handlers
        .patches()
        .patch(
            bench.call(version + RESOURCE, "h", "", "fieldManager=m"),
            "application/apply-patch+yaml",
            Workbench.body(object).bytes());
  }

  @Test
  void whatIsAppliedInAnotherVersionThanLastTimeStays() {
    apply("autoscaling/v1", "");
    apply(
        "autoscaling/v2",
        ",'metrics':[{'type':'Resource','resource':{'name':'memory',"
            + "'target':{'type':'Utilization','averageUtilization':5}}}]");
    var metrics =
        bench.stored("autoscaling/v2" + RESOURCE, "h").object("spec").array("metrics").objects();
    assertThat(metrics)
        .singleElement()
        .satisfies(
            metric -> assertThat(metric.object("resource").string("name")).isEqualTo("memory"));
  }

  @Test
  void whatIsNotAppliedAnyMoreGoesInEitherVersion() {
    apply("autoscaling/v2", ",'minReplicas':2,'behavior':{'scaleDown':{'selectPolicy':'Min'}}");
    apply("autoscaling/v1", "");
    var spec = bench.stored("autoscaling/v2" + RESOURCE, "h").object("spec");
    assertThat(spec.integer("minReplicas", 0)).isEqualTo(1);
    assertThat(spec.has("behavior")).isFalse();
  }

  @Test
  void whoWritesToAnEventInOneGroupIsForgottenInTheOther() {
    bench.create(
        "v1/events", "{'metadata':{'name':'e'},'involvedObject':{'namespace':'a'},'reason':'R'}");
    bench.patch("events.k8s.io/v1/events", "e", "", "{'metadata':{'labels':{'a':'b'}}}");
    var managed = bench.stored("v1/events", "e").object("metadata").array("managedFields");
    assertThat(managed.objects())
        .extracting(entry -> entry.string("apiVersion"))
        .containsExactly("events.k8s.io/v1");
  }
}
