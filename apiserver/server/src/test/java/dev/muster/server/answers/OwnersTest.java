package dev.muster.server.answers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.muster.model.json.JsonObject;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Who owns the fields of objects that the server writes itself, or in other ways than most. */
@Tag("slow")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class OwnersTest {
  private static final String FLOWS = "/apis/flowcontrol.apiserver.k8s.io/v1/";
  private static final String POLICY = "/apis/admissionregistration.k8s.io/v1/";

  private RunningServer server;
  private String core;
  private String apps;

  @BeforeAll
  void start(@TempDir Path directory) throws Exception {
    server = RunningServer.start(directory);
    var namespace = server.namespace();
    core = "/api/v1/namespaces/" + namespace;
    apps = "/apis/apps/v1/namespaces/" + namespace;
  }

  @AfterAll
  void stop() {
    server.close();
  }

  /** A line for each owner: its name, operation, version and subresource, and its fields. */
  private static String owners(JsonObject object) {
    var lines = new StringBuilder();
    for (var entry : object.object("metadata").array("managedFields").objects()) {
      lines
          .append(entry.string("manager"))
          .append(' ')
          .append(entry.string("operation"))
          .append(' ')
          .append(entry.string("apiVersion"))
          .append(entry.has("subresource") ? "/" + entry.string("subresource") : "")
          .append(' ')
          .append(entry.object("fieldsV1").toString().replace('"', '\''))
          .append('\n');
    }
    return lines.toString();
  }

  private String owners(String path) {
    return owners(server.get(path).object());
  }

  private JsonObject post(String path, String body) {
    return server.post(path, body.replace('\'', '"')).object();
  }

  private JsonObject patch(String path, String type, String body) {
    return server.patch(path, type, body.replace('\'', '"')).object();
  }

  @Test
  void partsOfTheServerOwnWhatTheyMake() {
    assertThat(owners("/apis/networking.k8s.io/v1/servicecidrs/kubernetes"))
        .isEqualTo(
            """
            kubernetes-service-cidr-controller Apply networking.k8s.io/v1/status {'f:status':{'f:conditions':{'k:{\\'type\\':\\'Ready\\'}':{'.':{},'f:lastTransitionTime':{},'f:message':{},'f:status':{},'f:type':{}}}}}
            kube-apiserver Update networking.k8s.io/v1 {'f:spec':{'f:cidrs':{}}}
            """);
    assertThat(owners(FLOWS + "prioritylevelconfigurations/catch-all"))
        .startsWith(
            "api-priority-and-fairness-config-producer-v1 Update flowcontrol.apiserver.k8s.io/v1");
    await()
        .untilAsserted(
            () ->
                assertThat(owners(FLOWS + "flowschemas/exempt"))
                    .isEqualTo(
                        """
                        api-priority-and-fairness-config-consumer-v1 Apply flowcontrol.apiserver.k8s.io/v1/status {'f:status':{'f:conditions':{'k:{\\'type\\':\\'Dangling\\'}':{'.':{},'f:lastTransitionTime':{},'f:message':{},'f:reason':{},'f:status':{},'f:type':{}}}}}
                        api-priority-and-fairness-config-producer-v1 Update flowcontrol.apiserver.k8s.io/v1 {'f:metadata':{'f:annotations':{'.':{},'f:apf.kubernetes.io/autoupdate-spec':{}}},'f:spec':{'f:matchingPrecedence':{},'f:priorityLevelConfiguration':{'f:name':{}},'f:rules':{}}}
                        """));
  }

  @Test
  void theServerOwnsTheAddressOfAService() {
    var service =
        post(core + "/services", "{'metadata':{'name':'s'},'spec':{'ports':[{'port':1}]}}");
    var address = service.object("spec").string("clusterIP");
    assertThat(owners("/apis/networking.k8s.io/v1/ipaddresses/" + address))
        .isEqualTo(
            """
            kube-apiserver Update networking.k8s.io/v1 {'f:metadata':{'f:labels':{'.':{},'f:ipaddress.kubernetes.io/ip-family':{},'f:ipaddress.kubernetes.io/managed-by':{}}},'f:spec':{'f:parentRef':{'.':{},'f:name':{},'f:namespace':{},'f:resource':{}}}}
            """);
  }

  @Test
  void theServerOwnsWhatItCountsInAQuota() {
    var quotas = core + "/resourcequotas";
    post(quotas + "?fieldManager=a", "{'metadata':{'name':'q'},'spec':{'hard':{'secrets':'9'}}}");
    patch(
        quotas + "/q/status?fieldManager=c",
        RunningServer.MERGE,
        "{'status':{'hard':{'secrets':'9'},'used':{'secrets':'0'}}}");
    post(core + "/secrets", "{'metadata':{'name':'one'}}");
    assertThat(owners(quotas + "/q").lines())
        .containsExactlyInAnyOrder(
            "a Update v1 {'f:spec':{'f:hard':{'.':{},'f:secrets':{}}}}",
            "c Update v1/status {'f:status':{'f:hard':{'.':{},'f:secrets':{}},'f:used':{}}}",
            "kube-apiserver Update v1/status {'f:status':{'f:used':{'f:secrets':{}}}}");
    server.delete(quotas + "/q", "");
  }

  @Test
  void whoeverAsksForATokenAsksForItsTime() {
    post(core + "/serviceaccounts", "{'metadata':{'name':'t'}}");
    var path = core + "/serviceaccounts/t/token?fieldManager=m";
    for (var spec : new String[] {"", ",'spec':{}", ",'spec':{'expirationSeconds':null}"}) {
      var request = "{'apiVersion':'authentication.k8s.io/v1','kind':'TokenRequest'" + spec + "}";
      assertThat(owners(post(path, request)))
          .isEqualTo(
              "m Update authentication.k8s.io/v1/token {'f:spec':{'f:expirationSeconds':{}}}\n");
    }
  }

  @Test
  void aDaemonSetAlwaysSaysHowOftenItsTemplateChanged() {
    var set =
        "{'apiVersion':'apps/v1','kind':'DaemonSet','metadata':{'name':'d'},'spec':{'selector':"
            + "{'matchLabels':{'a':'b'}},'template':{'metadata':{'labels':{'a':'b'}},'spec':"
            + "{'containers':[{'name':'c','image':'i'}]}}}}";
    var number = "'f:annotations':{'.':{},'f:deprecated.daemonset.template.generation':{}}";
    assertThat(owners(post(apps + "/daemonsets?fieldManager=one", set)))
        .startsWith("one Update apps/v1 {'f:metadata':{" + number + "}");
    var put = server.put(apps + "/daemonsets/d?fieldManager=two", set.replace('\'', '"')).object();
    assertThat(owners(put))
        .contains("one Update apps/v1 {'f:metadata':{'f:annotations':{}}")
        .contains(
            "two Update apps/v1 {'f:metadata':{'f:annotations':{"
                + "'f:deprecated.daemonset.template.generation':{}}}}");
  }

  @Test
  void ownersOfAnEventInOneGroupAreNoneInTheOther() {
    post(
        core + "/events?fieldManager=core",
        "{'metadata':{'name':'e'},'involvedObject':{'namespace':'"
            + core.substring(core.lastIndexOf('/') + 1)
            + "'},'reason':'r'}");
    var grouped = core.replace("/api/v1", "/apis/events.k8s.io/v1") + "/events/e";
    assertThat(
            owners(
                patch(
                    grouped + "?fieldManager=grouped",
                    RunningServer.MERGE,
                    "{'metadata':{'labels':{'a':'b'}}}")))
        .isEqualTo(
            "grouped Update events.k8s.io/v1 {'f:metadata':{'f:labels':{'.':{},'f:a':{}}}}\n");
  }

  @Test
  void aPatchOfAPartOfAPodTakesAllThatItSays() {
    post(
        core + "/pods?fieldManager=one",
        "{'metadata':{'name':'p'},'spec':{'containers':[{'name':'c','image':'i'}]}}");
    assertThat(
            owners(
                patch(
                    core + "/pods/p/ephemeralcontainers?fieldManager=two",
                    RunningServer.STRATEGIC,
                    "{'metadata':{'labels':{'a':'b'}},'spec':{'restartPolicy':'Never',"
                        + "'ephemeralContainers':[{'name':'e','image':'i'}]}}")))
        .contains("two Update v1/ephemeralcontainers {'f:metadata':{'f:labels':{'.':{},'f:a':{}}}")
        .contains("'f:ephemeralContainers'")
        .containsOnlyOnce("'f:restartPolicy'")
        .contains("'f:restartPolicy':{}}}\n");
  }

  @Test
  void aServiceComesAboutByItsStatus() {
    var service =
        "{'apiVersion':'v1','kind':'Service','metadata':{'name':'by-status'},'spec':{'ports':"
            + "[{'port':1}]},'status':{'conditions':[{'type':'T','status':'True'}]}}";
    var path = core + "/services/by-status/status?fieldManager=m";
    assertThat(server.patch(path, RunningServer.APPLY, service.replace('\'', '"')).code())
        .isEqualTo(201);
    var pod = "{'apiVersion':'v1','kind':'Pod','metadata':{'name':'none','managedFields':[{}]}}";
    var missing = core + "/pods/none/status?fieldManager=m";
    assertThat(server.patch(missing, RunningServer.APPLY, pod.replace('\'', '"')).message())
        .as("before anything is said about what is applied")
        .isEqualTo("pods \"none\" not found");
  }

  @Test
  void whatIsPutMayBeOnItsWayOut() {
    var lease =
        "{'apiVersion':'coordination.k8s.io/v1','kind':'Lease','metadata':{'name':'l',"
            + "'deletionGracePeriodSeconds':2}}";
    var path = core.replace("/api/v1", "/apis/coordination.k8s.io/v1") + "/leases";
    assertThat(owners(server.put(path + "/l?fieldManager=m", lease.replace('\'', '"')).object()))
        .isEqualTo(
            "m Update coordination.k8s.io/v1 {'f:metadata':{'f:deletionGracePeriodSeconds':{}}}\n");
    server.delete(path + "/l", "");
    assertThat(owners(post(path + "?fieldManager=m", lease))).isEmpty();
  }

  @Test
  void aStatusCanBeAppliedToAPolicyThatIsNotThereYet() {
    var policy =
        "{'apiVersion':'admissionregistration.k8s.io/v1','kind':'ValidatingAdmissionPolicy',"
            + "'metadata':{'name':'v'},'status':{'observedGeneration':1}}";
    var path = POLICY + "validatingadmissionpolicies/v/status?fieldManager=m";
    assertThat(patch(path, RunningServer.APPLY, policy).string("message"))
        .startsWith("ValidatingAdmissionPolicy.admissionregistration.k8s.io \"v\" is invalid:")
        .contains("spec.matchConstraints: Required value");
  }
}
