package dev.muster.types.conversion;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.model.json.Json;
import dev.muster.model.json.JsonObject;
import dev.muster.validation.core.Verdicts;
import org.junit.jupiter.api.Test;

class AutoscalerV1Test {
  private static final String PREFIX = "autoscaling.alpha.kubernetes.io/";

  private final AutoscalerV1 conversion = new AutoscalerV1();

  private JsonObject annotations(String stored) {
    return conversion.fromStored(Verdicts.json(stored)).object("metadata", "annotations");
  }

  @Test
  void metricsTravelInAnAnnotationAndCpuInItsField() {
    var stored =
        Verdicts.json(
            "{'spec':{'metrics':["
                + "{'type':'Resource','resource':{'name':'cpu','target':"
                + "{'type':'Utilization','averageUtilization':60}}},"
                + "{'type':'Object','object':{'describedObject':{'kind':'Service','name':'s'},"
                + "'target':{'type':'Value','value':'10'},'metric':{'name':'hits'}}}]}}");
    var shown = conversion.fromStored(stored);
    assertThat(shown.object("spec").integer("targetCPUUtilizationPercentage", 0)).isEqualTo(60);
    assertThat(shown.object("metadata", "annotations").string(PREFIX + "metrics"))
        .isEqualTo(
            "[{\"type\":\"Object\",\"object\":{\"target\":{\"kind\":\"Service\",\"name\":\"s\"},"
                + "\"metricName\":\"hits\",\"targetValue\":\"10\"}}]");
    var back = conversion.toStored(shown).object("spec").array("metrics");
    assertThat(back.object(0).string("type")).isEqualTo("Object");
    assertThat(back.object(1)).isEqualTo(stored.object("spec").array("metrics").object(0));
  }

  @Test
  void behaviourIsWrittenWithCapitalsAndReadInAnyCase() {
    var behavior = "{'scaleUp':{'selectPolicy':'Max','policies':[{'type':'Pods','value':4}]}}";
    var written = annotations("{'spec':{'behavior':" + behavior + "}}").string(PREFIX + "behavior");
    assertThat(written)
        .startsWith("{\"ScaleUp\":{\"StabilizationWindowSeconds\":null,\"SelectPolicy\":\"Max\"")
        .endsWith("\"ScaleDown\":null}");
    assertThat(BehaviorForm.toV2(Verdicts.json(written.replace('"', '\''))))
        .isEqualTo(Verdicts.json(behavior));
  }

  @Test
  void amountsThatCannotBeLeftOutAreZero() {
    assertThat(
            annotations(
                    "{'status':{'currentMetrics':[{'type':'Resource','resource':"
                        + "{'name':'cpu','current':{'averageUtilization':40}}}]}}")
                .string(PREFIX + "current-metrics"))
        .isEqualTo(
            "[{\"type\":\"Resource\",\"resource\":{\"name\":\"cpu\","
                + "\"currentAverageUtilization\":40,\"currentAverageValue\":\"0\"}}]");
  }

  @Test
  void annotationsThatAClientBrokeHoldNothing() {
    var stored =
        conversion.toStored(
            Verdicts.json(
                    "{'metadata':{'annotations':{}},'spec':{'targetCPUUtilizationPercentage':7}}")
                .withAt(
                    Json.of("[{\"type\":\"Pods\",\"pods\":{\"targetAverageValue\":[]}}]"),
                    "metadata",
                    "annotations",
                    PREFIX + "metrics")
                .withAt(
                    Json.of("{\"ScaleUp\":{\"Policies\":7}}"),
                    "metadata",
                    "annotations",
                    PREFIX + "behavior"));
    assertThat(stored.object("spec").array("metrics").size()).isEqualTo(1);
    assertThat(stored.object("spec").has("behavior")).isFalse();
  }

  @Test
  void theseAnnotationsMeanNothingElsewhere() {
    assertThat(
            AutoscalerAnnotations.dropped(
                    Verdicts.json(
                        "{'metadata':{'annotations':{'" + PREFIX + "metrics':'[]','keep':'me'}}}"))
                .object("metadata", "annotations")
                .keys())
        .containsExactly("keep");
  }
}
