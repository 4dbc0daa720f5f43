package dev.muster.admission;

import static dev.muster.admission.Plugins.json;
import static dev.muster.admission.Plugins.pod;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.admission.pods.PrivilegedContainers;
import dev.muster.authorization.Requests;
import dev.muster.model.status.ApiException;
import dev.muster.registry.admission.AdmissionOperation;
import dev.muster.registry.admission.AdmissionRequest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PrivilegedContainersTest {
  private static final String PRIVILEGED =
      "{'containers':[{'name':'c'},{'name':'d','securityContext':{'privileged':true}}]}";

  private final Requests requests = new Plugins().requests;

  private static void check(AdmissionRequest request) {
    new PrivilegedContainers().validate(request);
  }

  @Test
  void aPodWithAPrivilegedContainerIsRefused() {
    assertThatThrownBy(() -> check(requests.create(Plugins.PODS, pod(PRIVILEGED))))
        .hasMessage(
            "Pod \"p\" is invalid: spec.containers[1].securityContext.privileged: Forbidden:"
                + " disallowed by cluster policy")
        .satisfies(failure -> assertThat(((ApiException) failure).code()).isEqualTo(422));
  }

  @Test
  void otherPodsPass() {
    var plain = pod("{'containers':[{'name':'c','securityContext':{'privileged':false}}]}");
    assertThatCode(() -> check(requests.create(Plugins.PODS, plain))).doesNotThrowAnyException();
    assertThatCode(() -> check(requests.create(Plugins.CONFIG_MAPS, pod(PRIVILEGED))))
        .doesNotThrowAnyException();
  }

  @Test
  void initAndEphemeralContainersCountToo() {
    var spec =
        "{'containers':[{'name':'c'}],'initContainers':[{'name':'i','securityContext':"
            + "{'privileged':true}}],'ephemeralContainers':[{'name':'e','securityContext':"
            + "{'privileged':true}}]}";
    var request =
        requests.request(
            AdmissionOperation.UPDATE, Plugins.PODS, "ephemeralcontainers", pod(spec), pod("{}"));
    assertThatThrownBy(() -> check(request))
        .hasMessageContaining("spec.initContainers[0].securityContext.privileged: Forbidden")
        .hasMessageContaining("spec.ephemeralContainers[0].securityContext.privileged: Forbidden");
  }

  @Test
  void processesOfWindowsHostsAreRefused() {
    var spec =
        "{'securityContext':{'windowsOptions':{'hostProcess':true}},'containers':[{'name':'c'}]}";
    assertThatThrownBy(() -> check(requests.create(Plugins.PODS, pod(spec))))
        .hasMessage(
            "Pod \"p\" is invalid: spec: Forbidden: hostProcess containers are disallowed by"
                + " cluster policy");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "v1 | PodTemplate | podtemplates | {'template':{'spec':%s}} | template.spec",
        "v1 | ReplicationController | replicationcontrollers | {'spec':{'template':{'spec':%s}}} |"
            + " spec.template.spec",
        "apps/v1 | Deployment | deployments | {'spec':{'template':{'spec':%s}}} |"
            + " spec.template.spec",
        "apps/v1 | ReplicaSet | replicasets | {'spec':{'template':{'spec':%s}}} |"
            + " spec.template.spec",
        "apps/v1 | StatefulSet | statefulsets | {'spec':{'template':{'spec':%s}}} |"
            + " spec.template.spec",
        "apps/v1 | DaemonSet | daemonsets | {'spec':{'template':{'spec':%s}}} |"
            + " spec.template.spec",
        "batch/v1 | Job | jobs | {'spec':{'template':{'spec':%s}}} | spec.template.spec",
        "batch/v1 | CronJob | cronjobs |"
            + " {'spec':{'jobTemplate':{'spec':{'template':{'spec':%s}}}}} |"
            + " spec.jobTemplate.spec.template.spec",
      })
  void templatesOfPodsAreRefused(
      String version, String kind, String plural, String object, String path) {
    var type = Requests.type(version, kind, plural);
    assertThatThrownBy(() -> check(requests.create(type, json(object.replace("%s", PRIVILEGED)))))
        .hasMessageContaining(
            path
                + ".containers[1].securityContext.privileged: Forbidden: disallowed by cluster"
                + " policy");
  }

  @Test
  void whatIsThereAlreadyCanBeReleasedButNotChanged() {
    var old = pod(PRIVILEGED);
    var released = old.withAt(json("{'a':'b'}"), "metadata", "labels");
    assertThatCode(() -> check(requests.update(Plugins.PODS, released, old)))
        .doesNotThrowAnyException();
    var changed = pod(PRIVILEGED.replace("'name':'d'", "'name':'d','image':'other'"));
    assertThatThrownBy(() -> check(requests.update(Plugins.PODS, changed, old)))
        .hasMessageContaining("disallowed by cluster policy");
  }

  @Test
  void theStatusOfAPrivilegedPodMayChange() {
    var now = pod(PRIVILEGED).with("status", json("{'phase':'Running'}"));
    assertThatCode(
            () ->
                check(
                    requests.request(
                        AdmissionOperation.UPDATE, Plugins.PODS, "status", now, pod(PRIVILEGED))))
        .doesNotThrowAnyException();
  }
}
