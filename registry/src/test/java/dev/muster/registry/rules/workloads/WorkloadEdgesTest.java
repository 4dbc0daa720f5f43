package dev.muster.registry.rules.workloads;

import static org.assertj.core.api.Assertions.as;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.model.json.JsonObject;
import dev.muster.registry.rules.core.Verdicts;
import dev.muster.registry.types.Strategy;
import java.util.List;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Rules of workloads at the edges: empty texts, old mistakes, numbers in texts. */
class WorkloadEdgesTest {
  private static final Verdicts DEPLOYMENT = new Verdicts(DeploymentRules.STRATEGY, true);
  private static final Verdicts DAEMONS = new Verdicts(DaemonSetRules.STRATEGY, true);
  private static final Verdicts STATEFUL = new Verdicts(StatefulSetRules.STRATEGY, true);
  private static final Verdicts JOB = new Verdicts(JobRules.STRATEGY, true);
  private static final Verdicts CRON = new Verdicts(CronJobRules.STRATEGY, true);
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

  private static String job(String spec) {
    return "{'metadata':{'uid':'u'},'spec':{'template':{'spec':{'restartPolicy':'Never',"
        + "'containers':[{'name':'c','image':'i'}]}}"
        + spec
        + "}}";
  }

  private static String cron(String spec) {
    return "{'spec':{'schedule':'@daily','jobTemplate':{'spec':{'template':{'spec':"
        + "{'restartPolicy':'Never','containers':[{'name':'c','image':'i'}]}}"
        + spec
        + "}}}}";
  }

  @Test
  void aNameThatIsNoLabelIsToldOfAtTheTemplate() {
    var name = "n".repeat(64);
    assertThat(JOB.create(job("").replace("'uid'", "'name':'" + name + "','uid'")))
        .hasSize(1)
        .allMatch(error -> error.startsWith("spec.template.labels: "));
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
    var errors = new java.util.ArrayList<dev.muster.model.validation.FieldError>();
    var changed = old.with("status", Verdicts.json(status).object("status"));
    strategy.validateStatusUpdate(strategy.prepareForStatusUpdate(changed, old), old, errors);
    return errors.stream().map(Object::toString).toList();
  }

  @Test
  void labelsOfAStatefulTemplateAreReportedTwice() {
    var errors = STATEFUL.strategy();
    var found = new java.util.ArrayList<dev.muster.model.validation.FieldError>();
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
  void emptyModesOfAJobAreNotLeftOut() {
    assertThat(JOB.create(job(",'completionMode':'','podReplacementPolicy':''")))
        .containsExactly(
            "spec.completionMode: Unsupported value: \"\": supported values: \"NonIndexed\","
                + " \"Indexed\"",
            "spec.podReplacementPolicy: Unsupported value: \"\": supported values: \"Failed\","
                + " \"TerminatingOrFailed\"");
  }

  @Test
  void onlyAnIndexedJobHasLimitsForEachIndex() {
    var limits = ",'backoffLimitPerIndex':1,'maxFailedIndexes':2";
    assertThat(JOB.create(job(limits))).hasSize(2).allMatch(e -> e.contains("requires indexed"));
    assertThat(JOB.create(job(limits + ",'completionMode':'Other'")))
        .containsExactly(
            "spec.completionMode: Unsupported value: \"Other\": supported values: \"NonIndexed\","
                + " \"Indexed\"");
    assertThat(CRON.create(cron(limits))).hasSize(2).allMatch(e -> e.contains("requires indexed"));
  }

  @Test
  void aSuspendedJobMayGoElsewhereWithOtherNeeds() {
    var suspended = ",'suspend':true";
    var changes =
        ",'nodeSelector':{'n':'x'},'tolerations':[{'operator':'Exists'}],'affinity':{}"
            + ",'schedulingGates':[{'name':'g'}]";
    var moved =
        job(suspended).replace("'restartPolicy'", changes.substring(1) + ",'restartPolicy'");
    assertThat(JOB.update(job(suspended), moved)).isEmpty();
    assertThat(JOB.update(job(suspended), moved.replace("'i'", "'i:2'")))
        .singleElement(as(InstanceOfAssertFactories.STRING))
        .startsWith("spec.template.spec: Invalid value: {")
        .endsWith(": field is immutable");
    assertThat(JOB.update(job(""), moved))
        .singleElement(as(InstanceOfAssertFactories.STRING))
        .startsWith("spec.template: Invalid value: {");
  }

  @Test
  void aJobThatHasItsTemplatesLabelsHasTheGeneratedOnesToo() {
    var shared =
        JOB.prepared(
            "{'metadata':{'uid':'u'},'spec':{'template':{'metadata':{'labels':{'a':'b'}}}}}");
    assertThat(shared.object("metadata", "labels"))
        .isEqualTo(shared.object("spec", "template", "metadata", "labels"));
    assertThat(shared.object("metadata", "labels").has("job-name")).isTrue();
    var own =
        JOB.prepared(
            "{'metadata':{'uid':'u','labels':{'a':'b'}},"
                + "'spec':{'template':{'metadata':{'labels':{'a':'b'}}}}}");
    assertThat(own.object("metadata", "labels")).isEqualTo(Verdicts.json("{'a':'b'}"));
  }

  @Test
  void labelsComeFromTheTemplateWheneverThereAreNone() {
    var job = JOB.prepared(job(""));
    var bare = job.withoutAt("metadata", "labels");
    assertThat(JobRules.STRATEGY.prepareForStatusUpdate(bare, job).object("metadata", "labels"))
        .isEqualTo(job.object("metadata", "labels"));
    var controller = CONTROLLER.prepared(workload("", "", ""));
    var other = controller.withoutAt("metadata", "labels");
    assertThat(
            ControllerRules.STRATEGY
                .prepareForStatusUpdate(other, controller)
                .object("metadata", "labels"))
        .isEqualTo(Verdicts.json("{'a':'b'}"));
  }

  @Test
  void exitCodesThatAreLeftOutAreShownAsNull() {
    assertThat(
            JOB.create(
                job(
                    ",'podFailurePolicy':{'rules':[{'action':'FailJob',"
                        + "'onExitCodes':{'operator':'In'}}]}")))
        .containsExactly(
            "spec.podFailurePolicy.rules[0].onExitCodes.values: Invalid value: null: at least one"
                + " value is required");
  }

  @Test
  void overlappingIndexesAreLookedForInOrder() {
    assertThat(JobIndexes.common("0-2,5", "1", 10)).isEqualTo(1);
    assertThat(JobIndexes.common("5,1", "1", 10)).isEqualTo(-1);
    assertThat(JobIndexes.common("x,3", "2-4", 10)).isEqualTo(3);
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
    var next = deprecated.withAt(dev.muster.model.json.Json.of(2), "metadata", "generation");
    assertThat(ControllerRules.STRATEGY.warnings(next, fine)).isEmpty();
    var back = fine.withAt(dev.muster.model.json.Json.of(2), "metadata", "generation");
    assertThat(ControllerRules.STRATEGY.warnings(back, deprecated)).hasSize(1);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "TZ=Nowhere/X * * * * * | provided bad location Nowhere/X: unknown time zone Nowhere/X",
        "TZ=../x * * * * * | provided bad location ../x: time: invalid location name",
        "TZ=EST * * * * * | ~~",
        "TZ=UTC | invalid schedule format: runtime error: slice bounds out of range [:-1]",
        "1,,2 * , * * | ~~",
        "99999999999999999999 * * * * | failed to parse int from 99999999999999999999:"
            + " strconv.Atoi: parsing \"99999999999999999999\": value out of range",
        "a * * * * | failed to parse int from a: strconv.Atoi: parsing \"a\": invalid syntax",
        "@every 5 | failed to parse duration @every 5: time: missing unit in duration \"5\"",
        "@every 5x | failed to parse duration @every 5x: time: unknown unit \"x\" in duration"
            + " \"5x\"",
        "@every x | failed to parse duration @every x: time: invalid duration \"x\"",
        "@every 1h30m | ~~",
      })
  void schedulesAreReadAsTheirLibraryReadsThem(String schedule, String problem) {
    assertThat(CronSchedule.problem(schedule)).isEqualTo(problem);
  }
}
