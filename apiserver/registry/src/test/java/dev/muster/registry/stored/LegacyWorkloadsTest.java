package dev.muster.registry.stored;

import static dev.muster.registry.stored.Stored.at;
import static dev.muster.registry.stored.Stored.read;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Workloads of former versions are served with the defaults that these had. */
class LegacyWorkloadsTest {
  private static final String TEMPLATE =
      "'template':{'metadata':{'labels':{'app':'a'}},'spec':{'containers':[{'name':'c'}]}}";

  private static String workload(String version, String kind, String spec) {
    return "{'apiVersion':'%s','kind':'%s','metadata':{'name':'x','namespace':'n'},'spec':{%s}}"
        .formatted(version, kind, spec);
  }

  @Test
  void deploymentsOfExtensionsNeverGiveUpAndKeepAllTheyWere() {
    var object = read("/deployments", workload("extensions/v1beta1", "Deployment", TEMPLATE));
    assertThat(object.string("apiVersion")).isEqualTo("apps/v1");
    assertThat(at(object, "metadata", "labels")).isEqualTo("{'app':'a'}");
    assertThat(at(object, "spec", "selector")).isEqualTo("{'matchLabels':{'app':'a'}}");
    assertThat(at(object, "spec", "strategy"))
        .isEqualTo("{'type':'RollingUpdate','rollingUpdate':{'maxUnavailable':1,'maxSurge':1}}");
    assertThat(at(object, "spec", "revisionHistoryLimit")).isEqualTo("2147483647");
    assertThat(at(object, "spec", "progressDeadlineSeconds")).isEqualTo("2147483647");
    assertThat(at(object, "spec", "replicas")).isEqualTo("1");
    assertThat(at(object, "spec", "template", "spec", "dnsPolicy")).isEqualTo("'ClusterFirst'");
  }

  @ParameterizedTest
  @CsvSource({"apps/v1beta1,2,true", "apps/v1beta2,10,false", "apps/v1,10,false"})
  void deploymentsOfAppsKeepWhatTheirVersionKept(String version, String kept, boolean chosen) {
    var object = read("/deployments", workload(version, "Deployment", TEMPLATE));
    assertThat(at(object, "spec", "revisionHistoryLimit")).isEqualTo(kept);
    assertThat(at(object, "spec", "progressDeadlineSeconds")).isEqualTo("600");
    assertThat(at(object, "spec", "strategy", "rollingUpdate", "maxSurge")).isEqualTo("'25%'");
    assertThat(object.object("metadata").has("labels")).isEqualTo(chosen);
    assertThat(object.object("spec", "selector").has("matchLabels")).isEqualTo(chosen);
  }

  @Test
  void whereADeploymentIsToGoBackToBecomesAnAnnotation() {
    var back = "'rollbackTo':{'revision':3}," + TEMPLATE;
    for (var version : new String[] {"extensions/v1beta1", "apps/v1beta1"}) {
      var object = read("/deployments", workload(version, "Deployment", back));
      assertThat(at(object, "metadata", "annotations"))
          .isEqualTo("{'deprecated.deployment.rollback.to':'3'}");
      assertThat(object.object("spec").has("rollbackTo")).isFalse();
    }
  }

  @Test
  void daemonSetsOfExtensionsReplacePodsWhenTheyAreDeleted() {
    var object =
        read(
            "/daemonsets",
            workload("extensions/v1beta1", "DaemonSet", "'templateGeneration':4," + TEMPLATE));
    assertThat(at(object, "spec", "updateStrategy")).isEqualTo("{'type':'OnDelete'}");
    assertThat(at(object, "metadata", "annotations"))
        .isEqualTo("{'deprecated.daemonset.template.generation':'4'}");
    var later = read("/daemonsets", workload("apps/v1beta2", "DaemonSet", TEMPLATE));
    assertThat(at(later, "spec", "updateStrategy", "type")).isEqualTo("'RollingUpdate'");
  }

  @Test
  void theFirstStatefulSetsReplacePodsWhenTheyAreDeleted() {
    var object =
        read(
            "/statefulsets",
            workload("apps/v1beta1", "StatefulSet", "'volumeClaimTemplates':[{}]," + TEMPLATE));
    assertThat(at(object, "spec", "updateStrategy")).isEqualTo("{'type':'OnDelete'}");
    assertThat(at(object, "spec", "selector")).isEqualTo("{'matchLabels':{'app':'a'}}");
    var claim = object.object("spec").array("volumeClaimTemplates").object(0);
    assertThat(claim.string("kind")).isEqualTo("PersistentVolumeClaim");
    assertThat(at(claim, "status", "phase")).isEqualTo("'Pending'");
  }

  @Test
  void replicaSetsOfExtensionsChooseByTheirTemplate() {
    var object = read("/replicasets", workload("extensions/v1beta1", "ReplicaSet", TEMPLATE));
    assertThat(at(object, "spec", "selector")).isEqualTo("{'matchLabels':{'app':'a'}}");
    assertThat(at(object, "metadata", "labels")).isEqualTo("{'app':'a'}");
  }

  @Test
  void cronJobsOfTheBetaGetTheDefaultsOfJobs() {
    var spec = "'schedule':'* * * * *','jobTemplate':{'spec':{" + TEMPLATE + "}}";
    var object = read("/cronjobs", workload("batch/v1beta1", "CronJob", spec));
    assertThat(at(object, "spec", "concurrencyPolicy")).isEqualTo("'Allow'");
    assertThat(at(object, "spec", "failedJobsHistoryLimit")).isEqualTo("1");
  }

  /** The same selectors chose the opposite in the first version. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{} | {'matchExpressions':[{'key':'pdb.kubernetes.io/deprecated-v1beta1-empty-selector-match','operator':'Exists'}]}",
        "{'matchExpressions':[{'key':'pdb.kubernetes.io/deprecated-v1beta1-empty-selector-match','operator':'DoesNotExist'}]}"
            + " | {}",
        "{'matchLabels':{'a':'b'}} | {'matchLabels':{'a':'b'}}"
      },
      quoteCharacter = '"')
  void theFirstBudgetsChooseWhatTheyChose(String stored, String served) {
    var object =
        read(
            "/poddisruptionbudgets",
            workload("policy/v1beta1", "PodDisruptionBudget", "'selector':" + stored));
    assertThat(at(object, "spec", "selector")).isEqualTo(served);
  }

  @Test
  void theFirstAutoscalersGetMetrics() {
    var object =
        read(
            "/horizontalpodautoscalers",
            workload(
                "autoscaling/v1",
                "HorizontalPodAutoscaler",
                "'scaleTargetRef':{'kind':'Deployment','name':'d'},'maxReplicas':3,"
                    + "'targetCPUUtilizationPercentage':70"));
    assertThat(object.string("apiVersion")).isEqualTo("autoscaling/v2");
    assertThat(at(object, "spec", "minReplicas")).isEqualTo("1");
    assertThat(at(object, "spec", "metrics"))
        .isEqualTo(
            "[{'type':'Resource','resource':{'name':'cpu','target':"
                + "{'type':'Utilization','averageUtilization':70}}}]");
  }
}
