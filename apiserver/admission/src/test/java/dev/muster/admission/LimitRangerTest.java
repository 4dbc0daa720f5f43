package dev.muster.admission;

import static dev.muster.admission.Plugins.CLAIMS;
import static dev.muster.admission.Plugins.PODS;
import static dev.muster.admission.Plugins.json;
import static dev.muster.admission.Plugins.pod;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.model.json.JsonObject;
import org.junit.jupiter.api.Test;

class LimitRangerTest {
  private final Plugins plugins = new Plugins();

  private void range(String limits) {
    plugins.cluster.put(
        "/limitranges",
        json("{'metadata':{'name':'l','namespace':'a'},'spec':{'limits':[" + limits + "]}}"));
  }

  private JsonObject admit(JsonObject pod) {
    return plugins.plugin("LimitRanger").admit(plugins.requests.create(PODS, pod));
  }

  private void validate(JsonObject pod) {
    plugins.plugin("LimitRanger").validate(plugins.requests.create(PODS, pod));
  }

  @Test
  void fillsInDefaultsAndSaysSo() {
    range(
        "{'type':'Container','default':{'cpu':'1'},'defaultRequest':{'cpu':'500m','memory':'1Gi'}}");
    var pod =
        admit(
            pod(
                "{'containers':[{'name':'c','resources':{'requests':{'cpu':'1m'}}}],"
                    + "'initContainers':[{'name':'i'}]}"));
    assertThat(pod.object("spec"))
        .isEqualTo(
            json(
                "{'containers':[{'name':'c','resources':{'requests':{'cpu':'1m','memory':'1Gi'},"
                    + "'limits':{'cpu':'1'}}}],'initContainers':[{'name':'i','resources':"
                    + "{'requests':{'cpu':'500m','memory':'1Gi'},'limits':{'cpu':'1'}}}]}"));
    assertThat(pod.object("metadata", "annotations").string("kubernetes.io/limit-ranger"))
        .isEqualTo(
            "LimitRanger plugin set: memory request for container c; cpu limit for container c;"
                + " cpu, memory request for init container i; cpu limit for init container i");
  }

  @Test
  void refusesWhatGoesBeyond() {
    range(
        "{'type':'Container','min':{'cpu':'100m'},'max':{'memory':'1Gi'},"
            + "'maxLimitRequestRatio':{'cpu':'2'}}");
    assertThatThrownBy(
            () ->
                validate(
                    pod(
                        "{'containers':[{'name':'c','resources':{'requests':{'cpu':'50m'},"
                            + "'limits':{'cpu':'200m','memory':'2Gi'}}}]}")))
        .hasMessage(
            "pods \"p\" is forbidden: [minimum cpu usage per Container is 100m, but request is 50m,"
                + " maximum memory usage per Container is 1Gi, but limit is 2Gi, cpu max limit to"
                + " request ratio per Container is 2, but provided ratio is 4.000000]");
    assertThatThrownBy(() -> validate(pod("{'containers':[{'name':'c'}]}")))
        .hasMessage(
            "pods \"p\" is forbidden: [minimum cpu usage per Container is 100m.  No request is"
                + " specified, maximum memory usage per Container is 1Gi.  No limit is specified,"
                + " cpu max limit to request ratio per Container is 2, but no request is specified"
                + " or request is 0]");
  }

  @Test
  void countsAPodAsAWhole() {
    range("{'type':'Pod','max':{'cpu':'1'}}");
    var two =
        pod(
            "{'containers':[{'name':'a','resources':{'limits':{'cpu':'600m'}}},"
                + "{'name':'b','resources':{'limits':{'cpu':'500m'}}}]}");
    assertThatThrownBy(() -> validate(two))
        .hasMessage("pods \"p\" is forbidden: maximum cpu usage per Pod is 1, but limit is 1100m");
    var inTurn =
        pod(
            "{'containers':[{'name':'a','resources':{'limits':{'cpu':'600m'}}}],"
                + "'initContainers':[{'name':'b','resources':{'limits':{'cpu':'900m'}}}]}");
    assertThatCode(() -> validate(inTurn)).doesNotThrowAnyException();
    var sidecar =
        pod(
            "{'containers':[{'name':'a','resources':{'limits':{'cpu':'600m'}}}],"
                + "'initContainers':[{'name':'b','restartPolicy':'Always','resources':"
                + "{'limits':{'cpu':'900m'}}}]}");
    assertThatThrownBy(() -> validate(sidecar)).hasMessageContaining("but limit is 1500m");
  }

  @Test
  void holdsClaimsToTheirSize() {
    range("{'type':'PersistentVolumeClaim','min':{'storage':'1Gi'},'max':{'storage':'2Gi'}}");
    var claim =
        json(
            "{'metadata':{'name':'c','namespace':'a'},'spec':{'resources':{'requests':"
                + "{'storage':'3Gi'}}}}");
    assertThatThrownBy(
            () -> plugins.plugin("LimitRanger").validate(plugins.requests.create(CLAIMS, claim)))
        .hasMessage(
            "persistentvolumeclaims \"c\" is forbidden: maximum storage usage per"
                + " PersistentVolumeClaim is 2Gi, but request is 3Gi");
  }
}
