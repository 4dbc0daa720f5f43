package dev.muster.validation.batch;

import static org.assertj.core.api.Assertions.as;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.validation.core.Verdicts;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Rules of jobs at the edges: empty texts, labels of the template, odd schedules. */
class JobEdgesTest {
  private static final Verdicts JOB = new Verdicts(JobRules.STRATEGY, true);
  private static final Verdicts CRON = new Verdicts(CronJobRules.STRATEGY, true);

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

  @Test
  void schedulesHaveFiveFields() {
    assertThat(CronSchedule.problem("*/5 1-3 * jan mon")).isEmpty();
    assertThat(CronSchedule.problem("* * *")).startsWith("expected exactly 5 fields");
    assertThat(CronSchedule.problem("@every " + "1s".repeat(50_000))).isEmpty();
    assertThat(CronSchedule.problem("@every 1x"))
        .isEqualTo(
            "failed to parse duration @every 1x: time: unknown unit \"x\" in duration \"1x\"");
    assertThat(CronSchedule.problem("61 * * * *")).contains("above maximum (59)");
  }
}
