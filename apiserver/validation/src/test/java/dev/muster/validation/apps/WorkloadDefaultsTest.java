package dev.muster.validation.apps;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonObject;
import dev.muster.types.Strategy;
import dev.muster.types.conversion.DeprecatedAnnotations;
import dev.muster.validation.batch.JobRules;
import dev.muster.validation.core.Verdicts;
import dev.muster.validation.pods.PodRules;
import dev.muster.validation.pods.containers.ImageReference;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class WorkloadDefaultsTest {
  private static final String TEMPLATE =
      "{'metadata':{'labels':{'fruit':'pear'}},'spec':{'containers':[{'name':'c','image':'i'}]}}";

  private static JsonObject prepared(Strategy strategy, String text) {
    return new Verdicts(strategy, true).prepared(text);
  }

  private static JsonObject pod(String spec) {
    return prepared(PodRules.STRATEGY, "{'spec':" + spec + "}");
  }

  @Test
  void aPodStartsPendingWithItsQuality() {
    var pod = pod("{'containers':[{'name':'c','image':'i:1','resources':{'limits':{'cpu':'1'}}}]}");
    assertThat(pod.object("status"))
        .isEqualTo(JsonObject.of("phase", "Pending", "qosClass", "Burstable"));
    assertThat(pod.object("metadata").integer("generation", 0)).isEqualTo(1);
    var container = pod.object("spec").array("containers").object(0);
    assertThat(container.at("resources", "requests", "cpu")).isEqualTo(Json.of("1"));
    assertThat(container.string("imagePullPolicy")).isEqualTo("IfNotPresent");
    assertThat(pod.object("spec").isTrue("enableServiceLinks")).isTrue();
  }

  @Test
  void aPodThatGetsAllItAsksForIsGuaranteed() {
    assertThat(
            pod("{'containers':[{'resources':{'limits':{'cpu':'1','memory':'1Gi'}}}]}")
                .object("status")
                .string("qosClass"))
        .isEqualTo("Guaranteed");
    assertThat(pod("{'containers':[{}]},'status':{'qosClass':'Guaranteed'}").object("status"))
        .isEqualTo(JsonObject.of("phase", "Pending", "qosClass", "Guaranteed"));
    assertThat(pod("{'containers':[{}]}").object("status").string("qosClass"))
        .isEqualTo("BestEffort");
  }

  @Test
  void onlyImagesWithoutTagAreAlwaysPulled() {
    assertThat(ImageReference.isLatest("nginx")).isTrue();
    assertThat(ImageReference.isLatest("registry.example:5000/a/b")).isTrue();
    assertThat(ImageReference.isLatest("nginx:latest")).isTrue();
    assertThat(ImageReference.isLatest("nginx:1")).isFalse();
    assertThat(ImageReference.isLatest("nginx@sha256:" + "0".repeat(64))).isFalse();
    assertThat(ImageReference.isLatest("Nginx")).isFalse();
    assertThat(ImageReference.isLatest("")).isFalse();
    assertThat(ImageReference.isLatest("[::1]:5000/a")).isTrue();
    assertThat(ImageReference.isLatest("a_b.c/d")).isTrue();
    assertThat(ImageReference.isLatest("a.b-/c")).isFalse();
    assertThat(ImageReference.isLatest("a__b/c---d")).isTrue();
    assertThat(ImageReference.isLatest("a___b")).isFalse();
    assertThat(ImageReference.isLatest("a/")).isFalse();
    assertThat(ImageReference.isLatest("a:latest@sha256:" + "0".repeat(64))).isTrue();
    assertThat(ImageReference.isLatest("a:latest@sha256:" + "0".repeat(63))).isFalse();
    assertThat(ImageReference.isLatest("0".repeat(64))).isFalse();
    assertThat(ImageReference.isLatest("a".repeat(247))).isTrue();
    assertThat(ImageReference.isLatest("a".repeat(248))).isFalse();
    assertThat(ImageReference.isLatest("a-/".repeat(100_000))).isFalse();
  }

  @Test
  void anUnscheduledPodGoesAtOnce() {
    var waiting = pod("{'containers':[]}");
    var running = pod("{'containers':[],'nodeName':'n','terminationGracePeriodSeconds':7}");
    assertThat(PodRules.STRATEGY.gracePeriod(waiting, OptionalLong.of(30))).hasValue(0);
    assertThat(PodRules.STRATEGY.gracePeriod(running, OptionalLong.empty())).hasValue(7);
    assertThat(PodRules.STRATEGY.gracePeriod(running, OptionalLong.of(3))).hasValue(3);
  }

  @Test
  void labelKeysOfAffinitiesBecomeExpressions() {
    var pod =
        prepared(
            PodRules.STRATEGY,
            """
            {'metadata':{'labels':{'fruit':'pear'}},'spec':{'topologySpreadConstraints':[
              {'labelSelector':{},'matchLabelKeys':['fruit','absent']}]}}
            """);
    assertThat(
            pod.object("spec")
                .array("topologySpreadConstraints")
                .object(0)
                .at("labelSelector", "matchExpressions"))
        .isEqualTo(
            JsonArray.of(
                JsonObject.of(
                    "key", "fruit", "operator", "In", "values", JsonArray.of(Json.of("pear")))));
  }

  @Test
  void aDeploymentCountsItsAnnotations() {
    var old = prepared(DeploymentRules.STRATEGY, "{'spec':{'template':" + TEMPLATE + "}}");
    var annotated = old.withAt(Json.of("b"), "metadata", "annotations", "a");
    assertThat(
            DeploymentRules.STRATEGY.prepareForUpdate(annotated, old).at("metadata", "generation"))
        .isEqualTo(Json.of(2));
    assertThat(old.at("spec", "strategy", "rollingUpdate", "maxSurge")).isEqualTo(Json.of("25%"));
  }

  @Test
  void aJobFindsItsPodsByUid() {
    var job =
        prepared(
            JobRules.STRATEGY, "{'metadata':{'uid':'u1'},'spec':{'template':" + TEMPLATE + "}}");
    assertThat(job.at("spec", "selector", "matchLabels"))
        .isEqualTo(JsonObject.of("batch.kubernetes.io/controller-uid", "u1"));
    assertThat(job.at("spec", "template", "metadata", "labels", "job-name"))
        .isEqualTo(Json.of("pear"));
    assertThat(job.object("spec").integer("backoffLimit", 0)).isEqualTo(6);
    assertThat(JobRules.STRATEGY.orphansDependents()).isTrue();
  }

  @Test
  void aDaemonSetCountsChangesOfItsTemplate() {
    var old = prepared(DaemonSetRules.STRATEGY, "{'spec':{'template':" + TEMPLATE + "}}");
    var changed = old.withAt(Json.of("x"), "spec", "template", "spec", "nodeName");
    assertThat(
            DaemonSetRules.STRATEGY
                .prepareForUpdate(changed, old)
                .at("metadata", "annotations", DeprecatedAnnotations.TEMPLATE_GENERATION))
        .isEqualTo(Json.of("2"));
  }

  @Test
  void anAutoscalerWatchesTheProcessorUnlessToldOtherwise() {
    var scaler = prepared(AutoscalerRules.STRATEGY, "{'spec':{'behavior':{}}}");
    assertThat(scaler.object("spec").array("metrics").object(0).at("resource", "name"))
        .isEqualTo(Json.of("cpu"));
    assertThat(scaler.object("spec", "behavior", "scaleUp").array("policies").size()).isEqualTo(2);
  }
}
