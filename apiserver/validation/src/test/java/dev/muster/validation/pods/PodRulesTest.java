package dev.muster.validation.pods;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.muster.validation.core.Verdicts;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class PodRulesTest {
  private static final Verdicts POD = new Verdicts(PodRules.STRATEGY, true);
  private static final String TOLERATIONS = "scheduler.alpha.kubernetes.io/tolerations";

  private static String pod(String spec, String container) {
    return "{'spec':{'containers':[{'name':'c','image':'i'" + container + "}]" + spec + "}}";
  }

  private static String annotated(String name, String value) {
    return "{'metadata':{'annotations':{'"
        + name
        + "':'"
        + value
        + "'}},'spec':{'containers':[{'name':'c','image':'i'}]}}";
  }

  static Stream<Arguments> newPods() {
    return Stream.of(
        arguments(
            pod(
                ",'securityContext':{'windowsOptions':{'runAsUserName':'a<'}},'affinity':"
                    + "{'nodeAffinity':{'requiredDuringSchedulingIgnoredDuringExecution':"
                    + "{'nodeSelectorTerms':[{'matchExpressions':[{'key':'a','operator':'>',"
                    + "'values':['1']}]}]}}}",
                ""),
            List.of(
                "spec.securityContext.windowsOptions.runAsUserName: Invalid value: \"a\\u003c\":"
                    + " runAsUserName's User cannot contain the following characters:"
                    + " \"/\\:;|=,+*?<>@[]",
                "spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution"
                    + ".nodeSelectorTerms[0].matchExpressions[0].operator: Invalid value:"
                    + " \"\\u003e\": not a valid selector operator")),
        arguments(pod("", ",'envFrom':[{'secretRef':{'name':'s-'}}]"), List.of()),
        arguments(
            pod("", ",'env':[{'name':'A','valueFrom':{'fieldRef':{'fieldPath':'a[\\u0027]'}}}]"),
            List.of(
                "spec.containers[0].env[0].valueFrom.fieldRef.fieldPath: Invalid value: \"a[']\":"
                    + " error converting fieldPath: field label not supported: a[']")),
        arguments(
            pod(
                ",'hostIPC':true,'securityContext':{'sysctls':[{'name':'kernel.shm_rmid_forced'},"
                    + "{'name':'kernel.shm_other'},{'name':'fs/mqueue/x'}]}",
                ""),
            List.of(
                "spec.securityContext.sysctls[0].name: Invalid value: \"kernel.shm_rmid_forced\":"
                    + " may not be specified when 'hostIPC' is true",
                "spec.securityContext.sysctls[2].name: Invalid value: \"fs/mqueue/x\": may not be"
                    + " specified when 'hostIPC' is true")),
        arguments(
            pod(
                ",'resourceClaims':[{'name':'g','resourceClaimName':'x'}]",
                ",'resources':{'claims':[{'name':'g','request':'a'},{'name':'g'}]}"),
            List.of("spec.containers[0].resources.claims[1]: Duplicate value: \"g\"")),
        arguments(
            pod(
                ",'volumes':[{'name':'v','ephemeral':{'volumeClaimTemplate':{'metadata':"
                    + "{'uid':'u','name':'n','labels':{'a':'b'}},'spec':{'accessModes':"
                    + "['ReadWriteOnce'],'resources':{'requests':{'storage':'1Gi'}}}}}}]",
                ""),
            List.of(
                "spec.volumes[0].ephemeral.volumeClaimTemplate.metadata.name: Forbidden: cannot be"
                    + " set",
                "spec.volumes[0].ephemeral.volumeClaimTemplate.metadata.uID: Forbidden: cannot be"
                    + " set")),
        arguments(
            pod(
                ",'volumes':[{'name':'v','azureDisk':{'diskName':'d','diskURI':'https://x',"
                    + "'cachingMode':''}}]",
                ""),
            List.of(
                "spec.volumes[0].azureDisk.cachingMode: Unsupported value: \"\": supported values:"
                    + " \"None\", \"ReadOnly\", \"ReadWrite\"")),
        arguments(
            pod(
                ",'hostAliases':[{'ip':'FD00::1'},{'ip':'010.1.1.1'}],"
                    + "'dnsConfig':{'nameservers':['::ffff:1.2.3.4']}",
                ""),
            List.of(
                "spec.dnsConfig.nameservers[0]: Invalid value: \"::ffff:1.2.3.4\": must not be an"
                    + " IPv4-mapped IPv6 address",
                "spec.hostAliases[1].ip: Invalid value: \"010.1.1.1\": must not have leading 0s")),
        arguments(
            annotated(TOLERATIONS, "[{\\'key\\':\\'a\\',\\'Operator\\':\\'Near\\'}]"),
            List.of(
                "metadata.annotations.scheduler.alpha.kubernetes.io/tolerations[0].operator:"
                    + " Unsupported value: \"Near\": supported values: \"Equal\", \"Exists\"")),
        arguments(
            annotated(TOLERATIONS, "{}"),
            List.of(
                "metadata.annotations: Invalid value: \""
                    + TOLERATIONS
                    + "\": json: cannot"
                    + " unmarshal object into Go value of type []core.Toleration")),
        arguments(
            annotated(TOLERATIONS, "[{\\'key\\':1}]"),
            List.of(
                "metadata.annotations: Invalid value: \""
                    + TOLERATIONS
                    + "\": json: cannot"
                    + " unmarshal number into Go struct field Toleration.Key of type string")),
        arguments(
            annotated(TOLERATIONS, "[x"),
            List.of(
                "metadata.annotations: Invalid value: \""
                    + TOLERATIONS
                    + "\": invalid character"
                    + " 'x' looking for beginning of value")));
  }

  @ParameterizedTest
  @MethodSource("newPods")
  void aNewPodIsRefusedInUpstreamsWords(String pod, List<String> errors) {
    assertThat(POD.create(pod)).isEqualTo(errors);
  }

  @ParameterizedTest
  @CsvSource({
    "'',false",
    "0,true",
    "-0,true",
    "-01,true",
    "01,false",
    "+1,false",
    "-,false",
    "1x,false",
    "2147483647,true",
    "2147483648,false",
    "-2147483648,true",
    "-2147483649,false"
  })
  void theCostOfDeletionIsANumberOf32Bits(String cost, boolean valid) {
    var errors = POD.create(annotated("controller.kubernetes.io/pod-deletion-cost", cost));
    assertThat(errors.isEmpty()).isEqualTo(valid);
  }

  @Test
  void longTextsAreReadToTheirEnd() {
    var domain = "a.".repeat(50_000) + "a";
    assertThat(POD.create(pod(",'dnsConfig':{'searches':['" + domain + "']}", ""))).hasSize(2);
    assertThat(POD.create(pod(",'dnsConfig':{'searches':['_a-_b.c.','.']}", ""))).isEmpty();
    var user = ",'securityContext':{'windowsOptions':{'runAsUserName':'" + domain + "\\\\u'}}";
    assertThat(POD.create(pod(user, "")).getFirst())
        .endsWith("runAsUserName's Domain length must be under 256 characters");
  }

  @Test
  void theStatusIsNotTheWayToDeleteAPod() {
    var deleted =
        "{'metadata':{'deletionTimestamp':'2026-01-01T00:00:00Z'},'spec':{'containers':"
            + "[{'name':'c','image':'i'}]},'status':{'phase':'Running'}}";
    assertThat(POD.statusUpdate(pod("", ""), deleted)).isEmpty();
    assertThat(POD.update(pod("", ""), deleted))
        .containsExactly(
            "metadata.deletionTimestamp: Invalid value: \"2026-01-01T00:00:00Z\": field is"
                + " immutable");
  }

  private static String gated(String spec) {
    return pod(",'schedulingGates':[{'name':'g'}]" + spec, "");
  }

  private static String nodes(String terms, String preferred) {
    return gated(
        ",'affinity':{'nodeAffinity':{'requiredDuringSchedulingIgnoredDuringExecution':"
            + "{'nodeSelectorTerms':["
            + terms
            + "]},'preferredDuringSchedulingIgnoredDuringExecution':["
            + preferred
            + "]}}");
  }

  private static String term(String key) {
    return "{'matchExpressions':[{'key':'" + key + "','operator':'Exists'}]}";
  }

  static Stream<Arguments> changedPods() {
    return Stream.of(
        arguments(
            nodes(term("a"), ""),
            nodes(term("a"), "{'weight':1,'preference':" + term("b") + "}"),
            List.of()),
        arguments(
            nodes(term("a"), ""),
            gated(""),
            List.of(
                "spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution"
                    + ".nodeSelectorTerms: Invalid value: null: no additions/deletions to"
                    + " non-empty NodeSelectorTerms list are allowed")),
        arguments(
            gated(",'nodeSelector':{'a':'b'}"),
            gated(""),
            List.of(
                "spec.nodeSelector: Invalid value: null: only additions to spec.nodeSelector are"
                    + " allowed (no mutations or deletions)")),
        arguments(gated(""), nodes(term("a"), ""), List.of()));
  }

  @ParameterizedTest
  @MethodSource("changedPods")
  void whereAGatedPodMayRunCanOnlyBeNarrowed(String before, String after, List<String> errors) {
    assertThat(POD.update(before, after)).isEqualTo(errors);
  }
}
