package dev.muster.validation.apps;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.validation.core.Verdicts;
import org.junit.jupiter.api.Test;

class AutoscalerRulesTest {
  private static final Verdicts AUTOSCALER = new Verdicts(AutoscalerRules.STRATEGY, true);

  private static String autoscaler(int most, String spec) {
    return "{'spec':{'maxReplicas':"
        + most
        + ",'scaleTargetRef':{'apiVersion':'apps/v1','kind':'Deployment','name':'d'}"
        + spec
        + "}}";
  }

  private static String ofContainer(String resource) {
    return ",'metrics':[{'type':'ContainerResource','containerResource':{'name':'"
        + resource
        + "','container':'c','target':{'type':'Utilization','averageUtilization':50}}}]";
  }

  private static String about(String version) {
    return ",'metrics':[{'type':'Object','object':{'describedObject':{'apiVersion':'"
        + version
        + "','kind':'K','name':'n'},'metric':{'name':'m'},'target':{'type':'Value','value':'1'}}}]";
  }

  @Test
  void containersAreMeasuredByWhatTheyCanAskFor() {
    assertThat(AUTOSCALER.create(autoscaler(2, ofContainer("cpu")))).isEmpty();
    assertThat(AUTOSCALER.create(autoscaler(2, ofContainer("pods"))))
        .containsExactly(
            "spec.metrics[0].containerResource.name: Invalid value: \"pods\": must be a standard"
                + " resource for containers");
  }

  @Test
  void aVersionThatWasWrongBeforeMayStayWrong() {
    var wrong = about("a/b/c");
    assertThat(AUTOSCALER.create(autoscaler(2, wrong)))
        .containsExactly(
            "spec.metrics[0].object.describedObject.apiVersion: Invalid value: \"a/b/c\":"
                + " unexpected GroupVersion string: a/b/c");
    assertThat(AUTOSCALER.update(autoscaler(2, wrong), autoscaler(3, wrong))).isEmpty();
  }

  @Test
  void anEmptyChoiceOfPoliciesIsNotLeftOut() {
    assertThat(AUTOSCALER.create(autoscaler(2, ",'behavior':{'scaleUp':{'selectPolicy':''}}")))
        .containsExactly(
            "spec.behavior.scaleUp.selectPolicy: Unsupported value: \"\": supported values:"
                + " \"Disabled\", \"Max\", \"Min\"");
  }
}
