package dev.muster.validation.pods.scheduling;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.validation.apps.BudgetRules;
import dev.muster.validation.core.Verdicts;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PodClassRulesTest {
  private static final Verdicts PRIORITY = new Verdicts(PriorityClassRules.STRATEGY, false);
  private static final Verdicts RUNTIME = new Verdicts(RuntimeClassRules.STRATEGY, false);
  private static final Verdicts BUDGET = new Verdicts(BudgetRules.STRATEGY, true);

  @Test
  void prioritiesPreemptUnlessTheySayOtherwise() {
    var type = PRIORITY.prepared("{'value':5}");
    assertThat(type.string("preemptionPolicy")).isEqualTo("PreemptLowerPriority");
    assertThat(type.object("metadata").integer("generation", 0)).isEqualTo(1);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "{'value':1000000001} | value: Forbidden: maximum allowed value of a user defined priority"
            + " is 1000000000",
        "{'value':1,'preemptionPolicy':'Sometimes'} | preemptionPolicy: Unsupported value:"
            + " \"Sometimes\": supported values: \"PreemptLowerPriority\", \"Never\"",
        "{'value':1,'preemptionPolicy':''} | preemptionPolicy: Required value",
        "{'metadata':{'name':'system-mine'}} | metadata.name: Forbidden: priority class names with"
            + " 'system-' prefix are reserved for system use only. error: system-mine is not a"
            + " known system priority class",
        "{'metadata':{'name':'system-node-critical'},'value':1} | metadata.name: Forbidden:"
            + " priority class names with 'system-' prefix are reserved for system use only. error:"
            + " value of system-node-critical PriorityClass must be 2000001000",
        "{'metadata':{'name':'system-cluster-critical'},'value':2000000000,'globalDefault':true} |"
            + " metadata.name: Forbidden: priority class names with 'system-' prefix are reserved"
            + " for system use only. error: globalDefault of system-cluster-critical PriorityClass"
            + " must be false",
      })
  void prioritiesOfTheSystemAreNotForUsers(String type, String error) {
    assertThat(PRIORITY.create(type)).containsExactly(error);
  }

  @Test
  void prioritiesOfTheSystemCannotBeDeleted() {
    assertThat(PriorityClassRules.STRATEGY.whyKept("system-node-critical"))
        .isEqualTo("this is a system priority class and cannot be deleted");
    assertThat(PriorityClassRules.STRATEGY.whyKept("mine")).isEmpty();
  }

  @Test
  void aPriorityStays() {
    assertThat(PRIORITY.update("{'value':1}", "{'value':2,'preemptionPolicy':'Never'}"))
        .containsExactly(
            "value: Forbidden: may not be changed in an update.",
            "preemptionPolicy: Invalid value: \"Never\": field is immutable");
    assertThat(PRIORITY.update("{'value':1}", "{'value':1,'description':'d'}")).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "{} | handler: Required value",
        "{'handler':'h','overhead':{'podFixed':{'cpu':'-1'}}} | overhead.limits[cpu]: Invalid"
            + " value: \"-1\": must be greater than or equal to 0",
        "{'handler':'h','overhead':{'podFixed':{'hugepages-2Mi':'2Mi'}}} | overhead: Forbidden:"
            + " HugePages require cpu or memory",
        "{'handler':'h','scheduling':{'tolerations':[{'key':'k','effect':'Nope'}]}} |"
            + " scheduling.tolerations[0].effect: Unsupported value: \"Nope\": supported values:"
            + " \"NoSchedule\", \"PreferNoSchedule\", \"NoExecute\"",
        "{'handler':'h','scheduling':{'tolerations':[{'key':'k','effect':'NoExecute'},"
            + "{'key':'k','effect':'NoExecute','tolerationSeconds':5}]}} |"
            + " scheduling.tolerations[1]: Duplicate value:"
            + " {\"key\":\"k\",\"effect\":\"NoExecute\",\"tolerationSeconds\":5}",
      })
  void aRuntimeHasAHandler(String type, String error) {
    assertThat(RUNTIME.create(type)).containsExactly(error);
  }

  @Test
  void theHandlerStays() {
    assertThat(RUNTIME.update("{'handler':'a'}", "{'handler':'b'}"))
        .containsExactly("handler: Invalid value: \"b\": field is immutable");
    assertThat(RUNTIME.update("{'handler':'a'}", "{}"))
        .containsExactly(
            "handler: Required value", "handler: Invalid value: \"\": field is immutable");
  }

  @Test
  void oldLabelsOfNodesAreDeprecated() {
    assertThat(
            RUNTIME.warnings(
                "{'handler':'h','scheduling':{'nodeSelector':{'beta.kubernetes.io/os':'linux'}}}"))
        .containsExactly(
            "scheduling.nodeSelector: deprecated since v1.14; use \"kubernetes.io/os\" instead");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "'minAvailable':-1 | minAvailable: Invalid value: -1: must be greater than or equal to 0",
        "'maxUnavailable':'101%' | maxUnavailable: Invalid value: \"101%\": must not be greater"
            + " than 100%",
        "'unhealthyPodEvictionPolicy':'Never' | unhealthyPodEvictionPolicy: Unsupported value:"
            + " \"Never\": supported values: \"AlwaysAllow\", \"IfHealthyBudget\"",
      })
  void aBudgetIsANumberOrAShare(String spec, String error) {
    assertThat(BUDGET.create("{'spec':{" + spec + "}}")).containsExactly("spec." + error);
  }

  @Test
  void theStatusOfABudgetIsChecked() {
    assertThat(
            BUDGET.statusUpdate(
                "{}", "{'status':{'expectedPods':-1,'conditions':[{'type':'a','status':'True'}]}}"))
        .containsExactly(
            "status.conditions[0].lastTransitionTime: Required value",
            "status.conditions[0].reason: Required value",
            "status.expectedPods: Invalid value: -1: must be greater than or equal to 0");
  }
}
