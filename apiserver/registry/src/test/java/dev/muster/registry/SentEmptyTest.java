package dev.muster.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.registry.admission.Admission;
import dev.muster.registry.admission.AdmissionRequest;
import dev.muster.registry.admission.RelatedStatusUpdate;
import dev.muster.types.ObjectMeta;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * An empty list or map is not the same as none to those who judge an object; it is when it is
 * stored.
 */
class SentEmptyTest {
  private static final String JOBS = "batch/v1/jobs";
  private static final String AUTOSCALERS = "autoscaling/v2/horizontalpodautoscalers";
  private static final String DAEMONS = "apps/v1/daemonsets";

  private static final String WITHOUT_LABEL = "{'key':'a','operator':'DoesNotExist'}";

  private static final String POD =
      "{'metadata':{'name':'p'},'spec':{'containers':[{'name':'c','image':'i'}],%s}}";

  private final Workbench bench = new Workbench();

  @AfterEach
  void close() {
    bench.close();
  }

  private static String daemons(String metadata) {
    return "{'metadata':{'name':'d'},'spec':{'selector':{'matchLabels':{'a':'b'}},"
        + "'template':{'metadata':"
        + metadata
        + ",'spec':{'containers':[{'name':'c','image':'i'}]}}}}";
  }

  @Test
  void anAutoscalerWithoutAnyPolicyIsRefused() {
    assertThatThrownBy(
            () ->
                bench.create(
                    AUTOSCALERS,
                    "{'metadata':{'name':'h'},'spec':{'maxReplicas':2,'scaleTargetRef':"
                        + "{'apiVersion':'apps/v1','kind':'Deployment','name':'d'},"
                        + "'behavior':{'scaleDown':{'policies':[]}}}}"))
        .hasMessageEndingWith(
            "spec.behavior.scaleDown.policies: Required value: must specify at least one Policy");
  }

  @Test
  void soIsOneWhoseAnnotationHasRulesWithoutPolicies() {
    var object =
        "{'metadata':{'name':'h','annotations':{'autoscaling.alpha.kubernetes.io/behavior':"
            + "'{\\'ScaleUp\\':{\\'SelectPolicy\\':\\'Min\\'}}'}},'spec':{'maxReplicas':2,"
            + "'scaleTargetRef':{'apiVersion':'apps/v1','kind':'Deployment','name':'d'}}}";
    assertThatThrownBy(() -> bench.create("autoscaling/v1/horizontalpodautoscalers", object))
        .hasMessageEndingWith(
            "spec.behavior.scaleUp.policies: Required value: must specify at least one Policy");
  }

  @Test
  void anIngressThatLeadsNowhereShowsItsRulesAsTheyWereSent() {
    var ingresses = "networking.k8s.io/v1/ingresses";
    assertThatThrownBy(
            () -> bench.create(ingresses, "{'metadata':{'name':'i'},'spec':{'rules':[]}}"))
        .hasMessageContaining("spec: Invalid value: []: either");
    assertThatThrownBy(() -> bench.create(ingresses, "{'metadata':{'name':'i'}}"))
        .hasMessageContaining("spec: Invalid value: null: either");
  }

  @Test
  void labelsThatAreNotChosenAreShownAsTheyWereSent() {
    assertThatThrownBy(() -> bench.create(DAEMONS, daemons("{'labels':{}}")))
        .hasMessageContaining("labels: Invalid value: {}: `selector`");
    assertThatThrownBy(() -> bench.create(DAEMONS, daemons("{}")))
        .hasMessageContaining("labels: Invalid value: null: `selector`");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          'resources':{'claims':[]}                 | spec.resources.claims: Forbidden: claims may not be set for Resources at pod-level
          'ephemeralContainers':[{'name':'e','image':'i','ports':[],'resources':{'limits':{}}}] | [spec.ephemeralContainers[0].ports: Forbidden: cannot be set for an Ephemeral Container, spec.ephemeralContainers[0].resources: Forbidden: cannot be set for an Ephemeral Container, spec.ephemeralContainers: Forbidden: cannot be set on create]
          'os':{'name':'windows'},'securityContext':{'supplementalGroups':[]} | spec.securityContext.supplementalGroups: Forbidden: cannot be set for a windows pod
          'volumes':[{'name':'v','ephemeral':{'volumeClaimTemplate':{'metadata':{'finalizers':[]},'spec':{'accessModes':['ReadWriteOnce'],'resources':{'requests':{'storage':'1'}}}}}}] | spec.volumes[0].ephemeral.volumeClaimTemplate.metadata.finalizers: Forbidden: cannot be set
          """)
  void nothingInAPodIsMoreThanNone(String spec, String problem) {
    assertThatThrownBy(
            () ->
                bench.create(
                    "v1/pods",
                    "{'metadata':{'name':'p'},'spec':{'containers':[{'name':'c','image':'i'}],"
                        + spec
                        + "}}"))
        .hasMessage("Pod \"p\" is invalid: " + problem);
  }

  @Test
  void emptyLabelsOfAJobAreThoseOfItsTemplate() {
    var job =
        "{'metadata':{'name':'%s'},'spec':{'template':{%s'spec':{'restartPolicy':'Never',"
            + "'containers':[{'name':'c','image':'i'}]}}}}";
    var name = "n".repeat(64);
    assertThatThrownBy(() -> bench.create(JOBS, job.formatted(name, "'metadata':{'labels':{}},")))
        .hasMessageContaining("is invalid: [metadata.labels: Invalid value: ");
    assertThatThrownBy(() -> bench.create(JOBS, job.formatted(name, "")))
        .hasMessageContaining("is invalid: spec.template.labels: Invalid value: ");
  }

  @Test
  void nodesThatMayNotChangeAreShownAsTheyWereSent() {
    bench.create(
        "v1/pods",
        "{'metadata':{'name':'p'},'spec':{'containers':[{'name':'c','image':'i'}],"
            + "'schedulingGates':[{'name':'g'}],'nodeSelector':{'a':'b'}}}");
    assertThatThrownBy(
            () -> bench.patch("v1/pods", "p", "", "{'spec':{'nodeSelector':{'a':null}}}"))
        .hasMessageContaining("spec.nodeSelector: Invalid value: {}: only additions");
    assertThatThrownBy(() -> bench.patch("v1/pods", "p", "", "{'spec':{'nodeSelector':null}}"))
        .hasMessageContaining("spec.nodeSelector: Invalid value: null: only additions");
  }

  @Test
  void noNodesAreNotKept() {
    bench.create(
        "v1/pods",
        "{'metadata':{'name':'p'},'spec':{'containers':[{'name':'c','image':'i'}],"
            + "'schedulingGates':[{'name':'g'}],'nodeSelector':{}}}");
    bench.patch("v1/pods", "p", "", "{'spec':{'nodeSelector':{}}}");
    var pod = bench.stored("v1/pods", "p");
    assertThat(pod.toString()).doesNotContain("nodeSelector");
    assertThat(ObjectMeta.generation(pod)).isEqualTo(1);
  }

  @Test
  void noOverheadIsNotKept() {
    bench.create(
        "v1/pods",
        "{'metadata':{'name':'p'},'spec':{'containers':[{'name':'c','image':'i'}],"
            + "'overhead':{}}}");
    bench.patch("v1/pods", "p", "", "{'spec':{'overhead':{}}}");
    var pod = bench.stored("v1/pods", "p");
    assertThat(pod.object("spec").has("overhead")).isFalse();
    assertThat(ObjectMeta.generation(pod)).isEqualTo(1);
  }

  @Test
  void aClaimOfAPodHasNoFinalizersNotEvenAnEmptyList() {
    var claim = "{'name':'v','ephemeral':{'volumeClaimTemplate':{'metadata':{'finalizers':[]},";
    assertThatThrownBy(
            () ->
                bench.create(
                    "v1/pods",
                    "{'metadata':{'name':'p'},'spec':{'containers':[{'name':'c','image':'i'}],"
                        + "'volumes':["
                        + claim
                        + "'spec':{'accessModes':['ReadWriteOnce'],'resources':{'requests':"
                        + "{'storage':'1'}}}}}}]}}"))
        .hasMessageContaining("metadata.finalizers: Forbidden: cannot be set");
  }

  @Test
  void emptyRulesOfAPolicyAreAChangeOfIt() {
    var path = "networking.k8s.io/v1/networkpolicies";
    bench.create(path, "{'metadata':{'name':'n'},'spec':{'podSelector':{}}}");
    bench.patch(path, "n", "", "{'spec':{'podSelector':{}}}");
    assertThat(bench.stored(path, "n").object("metadata").integer("generation", 0)).isEqualTo(1);
    bench.patch(path, "n", "", "{'spec':{'ingress':[]}}");
    var stored = bench.stored(path, "n");
    assertThat(stored.object("metadata").integer("generation", 0)).isEqualTo(2);
    assertThat(stored.object("spec").has("ingress")).isFalse();
  }

  @Test
  void noDataAtAllIsNotTheEmptyDataOfAnImmutableMap() {
    bench.create("v1/configmaps", "{'metadata':{'name':'m'},'immutable':true}");
    bench.patch("v1/configmaps", "m", "", "{'metadata':{'labels':{'a':'b'}}}");
    assertThatThrownBy(() -> bench.patch("v1/configmaps", "m", "", "{'data':{}}"))
        .hasMessageContaining("data: Forbidden: field is immutable when `immutable` is set");
  }

  @Test
  void whatIsEmptyBelongsToNobody() {
    bench.create("v1/configmaps", "{'metadata':{'name':'m'},'data':{}}");
    assertThat(bench.stored("v1/configmaps", "m").object("metadata").has("managedFields"))
        .isFalse();
    bench.create("v1/pods", POD.formatted("'overhead':{}"));
    assertThat(bench.stored("v1/pods", "p").object("metadata").toString())
        .contains("f:containers")
        .doesNotContain("f:overhead");
  }

  @Test
  void emptyLabelsOfAJobBecomeTheGeneratedOnes() {
    bench.create(
        JOBS,
        "{'metadata':{'name':'j'},'spec':{'template':{'metadata':{'labels':{}},"
            + "'spec':{'restartPolicy':'Never','containers':[{'name':'c','image':'i'}]}}}}");
    var job = bench.stored(JOBS, "j");
    assertThat(job.object("metadata", "labels").string("job-name")).isEqualTo("j");
  }

  @Test
  void noCapacityIsShownAsItWasSent() {
    var volume =
        "{'metadata':{'name':'v'},'spec':{'capacity':{},'accessModes':['ReadWriteOnce'],"
            + "'hostPath':{'path':'/a'}}}";
    assertThatThrownBy(() -> bench.create("v1/persistentvolumes", volume))
        .hasMessageContaining("spec.capacity: Unsupported value: {}: supported");
    assertThatThrownBy(
            () -> bench.create("v1/persistentvolumes", volume.replace("'capacity':{},", "")))
        .hasMessageContaining("spec.capacity: Unsupported value: null: supported");
  }

  @Test
  void scopesThatAreTakenAwayAreShownAsTheyWereSent() {
    var quotas = "v1/resourcequotas";
    bench.create(quotas, "{'metadata':{'name':'q'},'spec':{'scopes':['BestEffort']}}");
    assertThatThrownBy(() -> bench.patch(quotas, "q", "", "{'spec':{'scopes':[]}}"))
        .hasMessageEndingWith("spec.scopes: Invalid value: []: field is immutable");
    assertThatThrownBy(() -> bench.patch(quotas, "q", "", "{'spec':{'scopes':null}}"))
        .hasMessageEndingWith("spec.scopes: Invalid value: null: field is immutable");
    bench.create(quotas, "{'metadata':{'name':'r'},'spec':{'scopes':[]}}");
    assertThat(bench.stored(quotas, "r").object("spec").has("scopes")).isFalse();
    bench.patch(quotas, "r", "", "{'spec':{'scopes':[]}}");
  }

  @Test
  void aBoundClaimMayLoseItsRequestsAsFarAsTheRestOfItsSpecIsConcerned() {
    var claims = "v1/persistentvolumeclaims";
    bench.create(
        claims,
        "{'metadata':{'name':'c'},'spec':{'accessModes':['ReadWriteOnce'],"
            + "'resources':{'requests':{'storage':'1Gi'}}}}");
    bench.patch(claims, "c", "status", "{'status':{'phase':'Bound'}}");
    assertThatThrownBy(
            () ->
                bench.patch(
                    claims, "c", "", "{'spec':{'resources':{'requests':{'storage':null}}}}"))
        .hasMessageNotContaining("spec is immutable");
    assertThatThrownBy(
            () -> bench.patch(claims, "c", "", "{'spec':{'resources':{'requests':null}}}"))
        .hasMessageContaining("spec is immutable");
  }

  @Test
  void whoAdmitsSeesWhatWasSentEmptyAndTheStoreDoesNot() {
    var seen = new ArrayList<Boolean>();
    var admission =
        new Admission() {
          @Override
          public List<RelatedStatusUpdate> validate(AdmissionRequest request) {
            seen.add(request.mustObject().object("spec").has("overhead"));
            return List.of();
          }
        };
    try (var admitting = new Workbench(admission)) {
      admitting.create("v1/pods", POD.formatted("'overhead':{}"));
      admitting.patch("v1/pods", "p", "", "{'metadata':{'labels':{'a':'b'}}}");
      assertThat(seen).containsExactly(true, false);
      assertThat(admitting.stored("v1/pods", "p").toString()).doesNotContain("overhead");
    }
  }

  @Test
  void aChangeOfAPodIsNotRefusedTwiceForWhatIsEmpty() {
    bench.create("v1/pods", POD.formatted("'os':{'name':'windows'}"));
    assertThatThrownBy(
            () ->
                bench.patch(
                    "v1/pods", "p", "", "{'spec':{'securityContext':{'supplementalGroups':[]}}}"))
        .hasMessage(
            "Pod \"p\" is invalid: spec.securityContext.supplementalGroups: Forbidden:"
                + " cannot be set for a windows pod");
  }

  @Test
  void emptyRulesBesideABackendAreNoChangeOfAnIngress() {
    var ingresses = "networking.k8s.io/v1/ingresses";
    bench.create(
        ingresses,
        "{'metadata':{'name':'i'},'spec':{'defaultBackend':{'service':{'name':'s',"
            + "'port':{'number':80}}}}}");
    bench.patch(ingresses, "i", "", "{'spec':{'rules':[]}}");
    assertThat(ObjectMeta.generation(bench.stored(ingresses, "i"))).isEqualTo(1);
  }

  @Test
  void emptyLabelsThatAreChosenAreNoChangeOfATemplate() {
    bench.create(
        DAEMONS,
        daemons("{}")
            .replace("'matchLabels':{'a':'b'}", "'matchExpressions':[" + WITHOUT_LABEL + "]"));
    bench.patch(DAEMONS, "d", "", "{'spec':{'template':{'metadata':{'labels':{}}}}}");
    assertThat(ObjectMeta.generation(bench.stored(DAEMONS, "d"))).isEqualTo(1);
  }

  @Test
  void aSliceHasOneListEvenWhenBothAreEmpty() {
    var slice =
        "{'metadata':{'name':'s'},'spec':{'driver':'d.example.com','nodeName':'n',"
            + "'pool':{'name':'p','resourceSliceCount':1},%s}}";
    var slices = "resource.k8s.io/v1/resourceslices";
    var both = slice.formatted("'devices':[],'sharedCounters':[]");
    assertThatThrownBy(() -> bench.create(slices, both))
        .hasMessageContaining("only one of `sharedCounters` or `devices` is allowed");
    assertThatThrownBy(() -> bench.create(slices, slice.formatted("'devices':[]")))
        .hasMessageNotContaining("only one of");
  }

  @Test
  void schemasHaveNoDependenciesNotEvenNoneAtAll() {
    var definition =
        "{'metadata':{'name':'ws.example.com'},'spec':{'group':'example.com',"
            + "'scope':'Namespaced','names':{'plural':'ws','kind':'W'},'versions':[{'name':'v1',"
            + "'served':true,'storage':true,'schema':{'openAPIV3Schema':{'type':'object',"
            + "'properties':{'a':{'type':'array','items':{'type':'string',"
            + "'dependencies':{}}}}}}}]}}";
    assertThatThrownBy(
            () -> bench.create("apiextensions.k8s.io/v1/customresourcedefinitions", definition))
        .hasMessageContaining("properties[a].items.dependencies: Forbidden: dependencies is not");
  }

  @Test
  void whatIsAppliedEmptyIsShownAsItWasSent() {
    var quota =
        "{'kind':'ResourceQuota','apiVersion':'v1','metadata':{'name':'q'},'spec':{'scopes':%s}}";
    bench.apply("v1/resourcequotas", "q", "", quota.formatted("['BestEffort']"));
    assertThatThrownBy(() -> bench.apply("v1/resourcequotas", "q", "", quota.formatted("[]")))
        .hasMessageEndingWith("spec.scopes: Invalid value: []: field is immutable");
    bench.apply(
        "v1/configmaps",
        "m",
        "",
        "{'kind':'ConfigMap','apiVersion':'v1','metadata':{'name':'m'},'data':{}}");
    var applied = bench.stored("v1/configmaps", "m");
    assertThat(applied.has("data")).isFalse();
    assertThat(applied.object("metadata").array("managedFields").toString()).contains("f:data");
  }

  @Test
  void managedFieldsAreTakenAwayBySendingNone() {
    bench.create("v1/configmaps", "{'metadata':{'name':'m'},'data':{'a':'b'}}");
    assertThat(bench.stored("v1/configmaps", "m").toString()).contains("f:data");
    bench.patch("v1/configmaps", "m", "", "{'metadata':{'managedFields':[]}}");
    assertThat(bench.stored("v1/configmaps", "m").toString()).doesNotContain("managedFields");
  }
}
