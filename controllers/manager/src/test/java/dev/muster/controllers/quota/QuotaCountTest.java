package dev.muster.controllers.quota;

import static dev.muster.controllers.Yaml.object;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.model.GroupResource;
import dev.muster.model.json.JsonObject;
import dev.muster.model.quota.ClaimMeasure;
import dev.muster.model.quota.CountMeasure;
import dev.muster.model.quota.Measure;
import dev.muster.model.quota.PodMeasure;
import dev.muster.model.quota.ResourceList;
import dev.muster.model.quota.ServiceMeasure;
import java.time.Instant;
import java.time.InstantSource;
import org.junit.jupiter.api.Test;

class QuotaCountTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
  private static final Measure PODS = new PodMeasure(InstantSource.fixed(NOW));

  private static String count(JsonObject quota, Measure measure, String... objects) {
    var names = measure.matching(quota.object("spec", "hard").keys());
    var tally = new QuotaTally(quota, measure, names);
    for (var yaml : objects) {
      tally.add(object(yaml));
    }
    return tally.sum().toJson().toString();
  }

  private static String pod(String fields, String cpu) {
    return "spec: {containers: [{name: c, resources: {requests: {cpu: '%s'}, limits: {cpu: '2'}}}]%s}"
        .formatted(cpu, fields);
  }

  @Test
  void podsAreAddedUpWhileTheyLive() {
    var quota = object("spec: {hard: {pods: 9, count/pods: 9, requests.cpu: 9, limits.cpu: 9}}");
    assertThat(
            count(
                quota,
                PODS,
                pod("", "250m"),
                pod("", "1"),
                pod("", "4") + "\nstatus: {phase: Succeeded}",
                pod("", "4")
                    + "\nmetadata: {deletionTimestamp: 2025-12-31T23:00:00Z,"
                    + " deletionGracePeriodSeconds: 30}"))
        .isEqualTo(
            "{\"count/pods\":\"4\",\"limits.cpu\":\"4\",\"pods\":\"2\",\"requests.cpu\":\"1250m\"}");
  }

  @Test
  void nothingIsZeroAndNotUnknown() {
    assertThat(count(object("spec: {hard: {pods: 1, memory: 1Gi}}"), PODS))
        .isEqualTo("{\"memory\":\"0\",\"pods\":\"0\"}");
  }

  @Test
  void scopesChooseWhatCounts() {
    var quota =
        object(
            "spec: {hard: {pods: 9}, scopes: [NotTerminating], scopeSelector: {matchExpressions:"
                + " [{scopeName: PriorityClass, operator: In, values: [high]}]}}");
    assertThat(
            count(
                quota,
                PODS,
                pod(", priorityClassName: high", "1"),
                pod(", priorityClassName: high, activeDeadlineSeconds: 5", "1"),
                pod(", priorityClassName: low", "1"),
                pod("", "1")))
        .isEqualTo("{\"pods\":\"1\"}");
  }

  @Test
  void aScopeThatAResourceDoesNotKnowChoosesNoneOfIt() {
    var quota = object("spec: {hard: {services: 9}, scopes: [BestEffort]}");
    assertThat(count(quota, new ServiceMeasure(), "spec: {type: ClusterIP}"))
        .isEqualTo("{\"services\":\"0\"}");
  }

  @Test
  void claimsAreCountedByTheirClass() {
    var quota =
        object(
            "spec: {hard: {requests.storage: 1Ti,"
                + " gold.storageclass.storage.k8s.io/requests.storage: 1Ti,"
                + " gold.storageclass.storage.k8s.io/persistentvolumeclaims: 3}}");
    var claim = "spec: {storageClassName: %s, resources: {requests: {storage: %s}}}";
    assertThat(
            count(
                quota,
                new ClaimMeasure(),
                claim.formatted("gold", "10Gi"),
                claim.formatted("tin", "5Gi")))
        .isEqualTo(
            "{\"gold.storageclass.storage.k8s.io/persistentvolumeclaims\":\"1\","
                + "\"gold.storageclass.storage.k8s.io/requests.storage\":\"10Gi\","
                + "\"requests.storage\":\"15Gi\"}");
  }

  @Test
  void customResourcesAreCountedByTheirFullName() {
    var quota = object("spec: {hard: {count/things.example.com: 3}}");
    var things = CountMeasure.of(new GroupResource("example.com", "things"));
    assertThat(count(quota, things, "{}", "{}")).isEqualTo("{\"count/things.example.com\":\"2\"}");
  }

  @Test
  void aStatusThatIsRightIsNotWritten() {
    var quota =
        object("{spec: {hard: {pods: '2'}}, status: {hard: {pods: '2'}, used: {pods: '1'}}}");
    var one = ResourceList.of(object("pods: '1'"));
    assertThat(QuotaStatus.after(quota, one)).isEmpty();
    assertThat(QuotaStatus.after(quota, ResourceList.of(object("pods: '0'")))).isPresent();
    assertThat(QuotaStatus.after(object("{spec: {}}"), new ResourceList())).isPresent();
  }

  @Test
  void whatCannotBeCountedStaysAndWhatIsNoLongerLimitedGoes() {
    var quota =
        object(
            "{spec: {hard: {pods: '2', count/things.gone: '4'}},"
                + " status: {hard: {secrets: '1'}, used: {secrets: '1', count/things.gone: '3'}}}");
    var next = QuotaStatus.after(quota, ResourceList.of(object("pods: '1'"))).orElseThrow();
    assertThat(next.object("status").toString())
        .isEqualTo(
            "{\"hard\":{\"pods\":\"2\",\"count/things.gone\":\"4\"},"
                + "\"used\":{\"count/things.gone\":\"3\",\"pods\":\"1\"}}");
    assertThat(QuotaStatus.isCounted(quota)).isFalse();
    assertThat(QuotaStatus.isCounted(next)).isTrue();
  }
}
