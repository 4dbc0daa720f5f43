package dev.muster.validation.pods;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.validation.apps.DeploymentRules;
import dev.muster.validation.apps.StatefulSetRules;
import dev.muster.validation.core.Verdicts;
import org.junit.jupiter.api.Test;

class PodWarningsTest {
  private static final Verdicts POD = new Verdicts(PodRules.STRATEGY, true);
  private static final Verdicts DEPLOYMENT = new Verdicts(DeploymentRules.STRATEGY, true);
  private static final Verdicts STATEFUL_SET = new Verdicts(StatefulSetRules.STRATEGY, true);

  private static String pod(String spec, String container) {
    return "{'spec':{'containers':[{'name':'c','image':'i'" + container + "}]" + spec + "}}";
  }

  @Test
  void anOrdinaryPodIsFine() {
    assertThat(POD.warnings(pod("", ""))).isEmpty();
  }

  @Test
  void namesBecomeHostNames() {
    assertThat(POD.warnings("{'metadata':{'name':'a.b'},'spec':{'containers':[{'name':'c'}]}}"))
        .containsExactly(
            "metadata.name: this is used in the Pod's hostname, which can result in surprising"
                + " behavior; a DNS label is recommended: [must not contain dots]");
    assertThat(DEPLOYMENT.warnings("{'metadata':{'name':'a.b'}}"))
        .containsExactly(
            "metadata.name: this is used in Pod names and hostnames, which can result in"
                + " surprising behavior; a DNS label is recommended: [must not contain dots]");
  }

  @Test
  void laterVariablesHideEarlierOnes() {
    assertThat(
            POD.warnings(
                pod(
                    "",
                    ",'env':[{'name':'A','value':'1'},{'name':'A','value':'$(A)2'},"
                        + "{'name':'A','value':'3'}]")))
        .containsExactly(
            "spec.containers[0].env[2]: hides previous definition of \"A\", which may be dropped"
                + " when using apply");
  }

  @Test
  void bytesAreWhole() {
    assertThat(POD.warnings(pod("", ",'resources':{'requests':{'memory':'100m'}}")))
        .containsExactly(
            "spec.containers[0].resources.requests[memory]: fractional byte value \"100m\" is"
                + " invalid, must be an integer");
  }

  @Test
  void portsAreDefinedOnce() {
    assertThat(
            POD.warnings(
                pod(
                    "",
                    ",'ports':[{'containerPort':80},{'containerPort':80},"
                        + "{'containerPort':80,'hostPort':8080}]")))
        .containsExactly(
            "spec.containers[0].ports[1]: duplicate port definition with"
                + " spec.containers[0].ports[0]",
            "spec.containers[0].ports[2]: overlapping port definition with"
                + " spec.containers[0].ports[0]",
            "spec.containers[0].ports[2]: overlapping port definition with"
                + " spec.containers[0].ports[1]");
  }

  @Test
  void oldLabelsOfNodesHaveNewNames() {
    assertThat(POD.warnings(pod(",'nodeSelector':{'beta.kubernetes.io/os':'linux'}", "")))
        .containsExactly(
            "spec.nodeSelector[beta.kubernetes.io/os]: deprecated since v1.14; use"
                + " \"kubernetes.io/os\" instead");
  }

  @Test
  void portsOfTheHostAreNotAmbiguous() {
    assertThat(
            POD.warnings(
                pod(
                    "",
                    ",'ports':[{'containerPort':80,'hostPort':1,'hostIP':'1.1.1.1'},"
                        + "{'containerPort':80,'hostPort':2,'hostIP':'1.1.1.1'},"
                        + "{'containerPort':80,'hostPort':1,'hostIP':'1.1.1.2'},"
                        + "{'containerPort':80,'hostPort':1},"
                        + "{'containerPort':80,'hostPort':1,'hostIP':'1.1.1.3'},"
                        + "{'containerPort':81,'hostPort':1}]")))
        .containsExactly(
            "spec.containers[0].ports[3]: dangerously ambiguous port definition with"
                + " spec.containers[0].ports[0]",
            "spec.containers[0].ports[3]: dangerously ambiguous port definition with"
                + " spec.containers[0].ports[2]",
            "spec.containers[0].ports[4]: dangerously ambiguous port definition with"
                + " spec.containers[0].ports[3]");
  }

  @Test
  void warningsEndWhenThereAreMoreThanAnAnswerHolds() {
    var ports = "{'containerPort':80},".repeat(2_000) + "{'containerPort':80}";
    assertThat(POD.warnings(pod("", ",'ports':[" + ports + "]"))).hasSizeBetween(64, 1_000);
    var items = "{'key':'a','path':'x'},".repeat(2_000) + "{'key':'a','path':'x/y'}";
    assertThat(
            POD.warnings(
                pod(
                    ",'volumes':[{'name':'v','configMap':{'name':'m','items':[" + items + "]}}]",
                    "")))
        .containsExactly(
            "volume \"v\" (ConfigMap \"m\"): overlapping paths: \"x\" with \"x\"",
            "volume \"v\" (ConfigMap \"m\"): overlapping paths: \"x/y\" with \"x\"");
  }

  @Test
  void filesOfAVolumeAreFoundInTheirOrder() {
    assertThat(
            POD.warnings(
                pod(
                    ",'volumes':[{'name':'v','configMap':{'name':'m','items':["
                        + "{'key':'a','path':'x/b/c'},{'key':'b','path':'x/bc'},"
                        + "{'key':'c','path':'x/'},{'key':'d','path':'x/b'}]}}]",
                    "")))
        .containsExactly(
            "volume \"v\" (ConfigMap \"m\"): overlapping paths: \"x\" with \"x/b/c\"",
            "volume \"v\" (ConfigMap \"m\"): overlapping paths: \"x\" with \"x/bc\"",
            "volume \"v\" (ConfigMap \"m\"): overlapping paths: \"x/b\" with \"x/b/c\"",
            "volume \"v\" (ConfigMap \"m\"): overlapping paths: \"x/b\" with \"x\"");
  }

  @Test
  void filesOfAVolumeAreNotInOneAnothersWay() {
    assertThat(
            POD.warnings(
                pod(
                    ",'volumes':[{'name':'v','configMap':{'name':'m','items':["
                        + "{'key':'a','path':'x'},{'key':'b','path':'x/y'}]}}]",
                    "")))
        .containsExactly("volume \"v\" (ConfigMap \"m\"): overlapping paths: \"x/y\" with \"x\"");
  }

  @Test
  void annotationsThatBecomeFieldsAreDeprecated() {
    assertThat(
            PodRules.STRATEGY.earlyWarnings(
                Verdicts.json(
                    "{'metadata':{'annotations':{"
                        + "'container.apparmor.security.beta.kubernetes.io/c':'unconfined'}},"
                        + "'spec':{'containers':[{'name':'c'}]}}")))
        .containsExactly(
            "metadata.annotations[container.apparmor.security.beta.kubernetes.io/c]: deprecated"
                + " since v1.30; use the \"appArmorProfile\" field instead");
  }

  @Test
  void historiesOfStatefulSetsEnd() {
    assertThat(STATEFUL_SET.warnings("{'spec':{'revisionHistoryLimit':-1}}"))
        .containsExactly(
            "spec.revisionHistoryLimit: a negative value retains all historical revisions; a value"
                + " >= 0 is recommended");
  }
}
