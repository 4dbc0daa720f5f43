package dev.muster.validation.apps;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.model.json.Json;
import dev.muster.model.json.JsonObject;
import dev.muster.model.validation.FieldError;
import dev.muster.types.Strategy;
import dev.muster.validation.core.Verdicts;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Rules of workloads at the edges: empty texts, old mistakes, numbers in texts. */
class WorkloadEdgesTest {
  private static final Verdicts DEPLOYMENT = new Verdicts(DeploymentRules.STRATEGY, true);
  private static final Verdicts DAEMONS = new Verdicts(DaemonSetRules.STRATEGY, true);
  private static final Verdicts STATEFUL = new Verdicts(StatefulSetRules.STRATEGY, true);
  private static final Verdicts CONTROLLER = new Verdicts(ControllerRules.STRATEGY, true);

  private static final String PERCENT =
      ": a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or"
          + " '93%', regex used for validation is '[0-9]+%')";

  private static String workload(String spec, String template, String podSpec) {
    return "{'spec':{'selector':{'matchLabels':{'a':'b'}},'template':{'metadata':{'labels':"
        + "{'a':'b'}"
        + template
        + "},'spec':{'containers':[{'name':'c','image':'i'}]"
        + podSpec
        + "}}"
        + spec
        + "}}";
  }

  private static String rolling(String members) {
    return workload(",'strategy':{'rollingUpdate':{" + members + "}}", "", "");
  }

  @Test
  void anEmptyShareIsNotLeftOut() {
    assertThat(DEPLOYMENT.create(rolling("'maxSurge':''")))
        .containsExactly("spec.strategy.rollingUpdate.maxSurge: Invalid value: \"\"" + PERCENT);
    assertThat(
            DAEMONS.create(
                workload(",'updateStrategy':{'rollingUpdate':{'maxUnavailable':''}}", "", "")))
        .containsExactly(
            "spec.updateStrategy.rollingUpdate.maxUnavailable: Invalid value: \"\"" + PERCENT,
            "spec.updateStrategy.rollingUpdate.maxUnavailable: Required value: cannot be 0 when"
                + " maxSurge is 0");
  }

  @Test
  void aNumberInATextCountsAlthoughItIsRefused() {
    assertThat(DEPLOYMENT.create(rolling("'maxSurge':0,'maxUnavailable':'3'")))
        .containsExactly(
            "spec.strategy.rollingUpdate.maxUnavailable: Invalid value: \"3\"" + PERCENT);
    assertThat(DEPLOYMENT.create(rolling("'maxSurge':0,'maxUnavailable':'x'"))).hasSize(2);
  }

  @Test
  void collisionsAreForgottenOrTakenBackByNobody() {
    var none = workload("", "", "");
    assertThat(DEPLOYMENT.statusUpdate(none, "{'status':{'collisionCount':-1}}"))
        .containsExactly(
            "status.collisionCount: Invalid value: -1: must be greater than or equal to 0");
    var old = DEPLOYMENT.prepared(none).with("status", Verdicts.json("{'collisionCount':0}"));
    assertThat(statusErrors(DeploymentRules.STRATEGY, old, "{'status':{}}"))
        .contains("status.collisionCount: Invalid value: 0: cannot be decremented");
  }

  private static List<String> statusErrors(Strategy strategy, JsonObject old, String status) {
    var errors = new ArrayList<FieldError>();
    var changed = old.with("status", Verdicts.json(status).object("status"));
    strategy.validateStatusUpdate(strategy.prepareForStatusUpdate(changed, old), old, errors);
    return errors.stream().map(Object::toString).toList();
  }

  @Test
  void labelsOfAStatefulTemplateAreReportedTwice() {
    var errors = STATEFUL.strategy();
    var found = new ArrayList<FieldError>();
    errors.validateCreate(STATEFUL.prepared(workload("", ",'annotations':{'-':'x'}", "")), found);
    assertThat(found).hasSize(2).allMatch(e -> e.path().equals("spec.template.annotations"));
  }

  @Test
  void aStatefulSetThatWasWrongBeforeCanBeScaled() {
    var wrong = ",'dnsPolicy':'Sometimes'";
    assertThat(STATEFUL.create(workload("", "", wrong))).isNotEmpty();
    assertThat(STATEFUL.update(workload("", "", wrong), workload(",'replicas':2", "", wrong)))
        .isEmpty();
    assertThat(STATEFUL.update(workload("", "", ""), workload("", "", wrong))).isNotEmpty();
  }

  @Test
  void labelsComeFromTheTemplateWheneverThereAreNone() {
    var controller = CONTROLLER.prepared(workload("", "", ""));
    var other = controller.withoutAt("metadata", "labels");
    assertThat(
            ControllerRules.STRATEGY
                .prepareForStatusUpdate(other, controller)
                .object("metadata", "labels"))
        .isEqualTo(Verdicts.json("{'a':'b'}"));
  }

  @Test
  void rollbacksOfADeploymentGoToARevision() {
    var negative =
        "{'metadata':{'annotations':{'deprecated.deployment.rollback.to':'-1'}},"
            + workload("", "", "").substring(1);
    assertThat(DEPLOYMENT.create(negative))
        .containsExactly(
            "spec.rollback.version: Invalid value: -1: must be greater than or equal to 0");
  }

  @Test
  void whatAControllersNameIsGeneratedFromIsNotChecked() {
    var controller =
        "{'metadata':{'generateName':'Not_A_Name-'},'spec':{'template':{'metadata':{'labels':"
            + "{'a':'b'}},'spec':{'containers':[{'name':'c','image':'i'}]}}}}";
    assertThat(CONTROLLER.create(controller)).isEmpty();
  }

  @Test
  void aControllerIsWarnedAboutByTheTemplateItHad() {
    var fine = CONTROLLER.prepared(workload("", "", ""));
    var deprecated =
        CONTROLLER.prepared(
            workload("", ",'annotations':{'scheduler.alpha.kubernetes.io/critical-pod':'x'}", ""));
    var next = deprecated.withAt(Json.of(2), "metadata", "generation");
    assertThat(ControllerRules.STRATEGY.warnings(next, fine)).isEmpty();
    var back = fine.withAt(Json.of(2), "metadata", "generation");
    assertThat(ControllerRules.STRATEGY.warnings(back, deprecated)).hasSize(1);
  }
}
