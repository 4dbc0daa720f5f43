package dev.muster.types.conversion;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.model.json.JsonObject;
import dev.muster.types.BuiltIns;
import dev.muster.validation.core.Verdicts;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConversionsTest {
  private static JsonObject stored(String group, String resource, String object) {
    return BuiltIns.of(group, "v1", resource).toStored(Verdicts.json(object));
  }

  private static String annotated(String key, String value) {
    return "{'metadata':{'annotations':{'" + key + "':'" + value + "','k':'v'}}}";
  }

  @Test
  void numbersInAnnotationsAreWrittenPlainly() {
    var key = DeprecatedAnnotations.TEMPLATE_GENERATION;
    assertThat(stored("apps", "daemonsets", annotated(key, "+07")))
        .isEqualTo(Verdicts.json(annotated(key, "7")));
    assertThat(
            stored("apps", "deployments", annotated(DeprecatedAnnotations.ROLLBACK, ""))
                .object("metadata", "annotations"))
        .isEqualTo(Verdicts.json("{'k':'v'}"));
  }

  @Test
  void aDaemonSetAlwaysHasItsGeneration() {
    var key = DeprecatedAnnotations.TEMPLATE_GENERATION;
    assertThat(stored("apps", "daemonsets", "{'metadata':{}}"))
        .isEqualTo(Verdicts.json("{'metadata':{'annotations':{'" + key + "':'0'}}}"));
  }

  @Test
  void metadataAloneDoesNotShowIt() {
    var key = DeprecatedAnnotations.TEMPLATE_GENERATION;
    var of = "{'kind':'DaemonSet','apiVersion':'apps/v1','metadata':{'annotations':{'";
    assertThat(
            BuiltIns.of("apps", "v1", "daemonsets")
                .shownMetadata(Verdicts.json(of + key + "':'1','k':'v'}}}")))
        .isEqualTo(Verdicts.json("{'annotations':{'k':'v'}}"));
    assertThat(
            BuiltIns.of("apps", "v1", "daemonsets")
                .shownMetadata(Verdicts.json(of + key + "':'1'}}}")))
        .isEqualTo(JsonObject.EMPTY);
  }

  @Test
  void whatIsNoNumberCannotBeRead() {
    assertThatThrownBy(
            () ->
                stored(
                    "apps",
                    "daemonsets",
                    annotated(DeprecatedAnnotations.TEMPLATE_GENERATION, "x")))
        .hasMessage("strconv.ParseInt: parsing \"x\": invalid syntax");
    assertThatThrownBy(
            () -> stored("apps", "deployments", annotated(DeprecatedAnnotations.ROLLBACK, "1.5")))
        .hasMessage(
            "failed to parse annotation[deprecated.deployment.rollback.to]=1.5 as int64:"
                + " strconv.ParseInt: parsing \"1.5\": invalid syntax");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "{'matchExpressions':[{'key':'KEY','operator':'Exists'}]} |"
            + " {'matchExpressions':[{'key':'KEY','operator':'Exists'}]}",
        "{'matchExpressions':[{'key':'KEY','operator':'DoesNotExist'}]} | {}",
        "{'matchLabels':{'a':'b'},'matchExpressions':[{'key':'KEY','operator':'Exists'}]} |"
            + " {'matchLabels':{'a':'b'}}",
        "{'matchExpressions':[{'key':'a','operator':'Exists'}]} |"
            + " {'matchExpressions':[{'key':'a','operator':'Exists'}]}",
      })
  void theLabelForAnEmptySelectorStandsAlone(String given, String kept) {
    var key = "pdb.kubernetes.io/deprecated-v1beta1-empty-selector-match";
    var budget =
        stored(
            "policy",
            "poddisruptionbudgets",
            "{'spec':{'selector':" + given.replace("KEY", key) + "}}");
    assertThat(budget.object("spec", "selector"))
        .isEqualTo(Verdicts.json(kept.replace("KEY", key)));
  }
}
