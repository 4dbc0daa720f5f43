package dev.muster.validation.apps;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.validation.core.Verdicts;
import dev.muster.validation.pods.PodRules;
import org.junit.jupiter.api.Test;

class WorkloadRulesTest {
  private static final Verdicts POD = new Verdicts(PodRules.STRATEGY, true);
  private static final Verdicts DEPLOYMENT = new Verdicts(DeploymentRules.STRATEGY, true);

  private static String pod(String members) {
    return "{'spec':{'containers':[{'name':'c','image':'i:1'" + members + "}]}}";
  }

  private static String deployment(String label) {
    return "{'spec':{'selector':{'matchLabels':{'fruit':'"
        + label
        + "'}},'template':{'metadata':{'labels':{'fruit':'pear'}},"
        + "'spec':{'containers':[{'name':'c','image':'i'}]}}}}";
  }

  @Test
  void aPodNeedsContainersWithNamesAndImages() {
    assertThat(POD.create("{}")).containsExactly("spec.containers: Required value");
    assertThat(POD.create("{'spec':{'containers':[{'name':'c'}]}}"))
        .containsExactly("spec.containers[0].image: Required value");
    assertThat(POD.create(pod(""))).isEmpty();
  }

  @Test
  void mountsNeedVolumes() {
    assertThat(POD.create(pod(",'volumeMounts':[{'name':'v','mountPath':'/v'}]")))
        .containsExactly("spec.containers[0].volumeMounts[0].name: Not found: \"v\"");
  }

  @Test
  void requestsStayBelowLimits() {
    assertThat(POD.create(pod(",'resources':{'requests':{'cpu':'2'},'limits':{'cpu':'1'}}")))
        .containsExactly(
            "spec.containers[0].resources.requests: Invalid value: \"2\": must be less than or"
                + " equal to cpu limit of 1");
  }

  @Test
  void containersOfAPodStay() {
    assertThat(
            POD.update(
                pod(""),
                "{'spec':{'containers':[{'name':'c','image':'i:1'},{'name':'d','image':'i:1'}]}}"))
        .containsExactly(
            "spec.containers: Forbidden: pod updates may not add or remove containers");
  }

  @Test
  void aDeploymentSelectsItsOwnPods() {
    assertThat(DEPLOYMENT.create(deployment("pear"))).isEmpty();
    assertThat(DEPLOYMENT.create(deployment("plum")))
        .containsExactly(
            "spec.template.metadata.labels: Invalid value: {\"fruit\":\"pear\"}: `selector` does"
                + " not match template `labels`");
  }
}
