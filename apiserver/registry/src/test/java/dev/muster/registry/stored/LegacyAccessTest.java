package dev.muster.registry.stored;

import static dev.muster.registry.stored.Stored.at;
import static dev.muster.registry.stored.Stored.read;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Bindings, webhooks, levels and devices of former versions are served in today's. */
class LegacyAccessTest {
  @Test
  void subjectsOfTheFirstBindingsHaveGroupsInsteadOfVersions() {
    var object =
        read(
            "/rolebindings",
            "{'apiVersion':'rbac.authorization.k8s.io/v1alpha1','kind':'RoleBinding','metadata':"
                + "{'name':'b','namespace':'n'},'subjects':[{'kind':'User','name':'*'},"
                + "{'kind':'User','name':'u'},{'kind':'Group','name':'g'},{'kind':'ServiceAccount',"
                + "'name':'s','namespace':'n'},{'kind':'Other','apiVersion':'x.com/v1','name':'o'}],"
                + "'roleRef':{'kind':'Role','name':'r'}}");
    assertThat(at(object, "subjects"))
        .isEqualTo(
            "[{'kind':'Group','apiGroup':'rbac.authorization.k8s.io','name':'system:authenticated'},"
                + "{'kind':'User','apiGroup':'rbac.authorization.k8s.io','name':'u'},"
                + "{'kind':'Group','apiGroup':'rbac.authorization.k8s.io','name':'g'},"
                + "{'kind':'ServiceAccount','name':'s','namespace':'n'},"
                + "{'kind':'Other','apiGroup':'x.com','name':'o'}]");
    assertThat(at(object, "roleRef", "apiGroup")).isEqualTo("'rbac.authorization.k8s.io'");
  }

  @Test
  void theFirstWebhooksAreIgnoredWhenTheyFail() {
    var object =
        read(
            "/mutatingwebhookconfigurations",
            "{'apiVersion':'admissionregistration.k8s.io/v1beta1','kind':"
                + "'MutatingWebhookConfiguration','metadata':{'name':'w'},'webhooks':[{'name':'a.b.c',"
                + "'clientConfig':{'service':{'namespace':'n','name':'s'}},'rules':[{}]}]}");
    assertThat(object.array("webhooks").object(0).toString().replace('"', '\''))
        .isEqualTo(
            "{'name':'a.b.c','clientConfig':{'service':{'namespace':'n','name':'s','port':443}},"
                + "'rules':[{'scope':'*'}],'failurePolicy':'Ignore','matchPolicy':'Exact',"
                + "'namespaceSelector':{},'objectSelector':{},'sideEffects':'Unknown',"
                + "'timeoutSeconds':30,'admissionReviewVersions':['v1beta1'],"
                + "'reinvocationPolicy':'Never'}");
  }

  @ParameterizedTest
  @CsvSource({"v1alpha1,'Deny'", "v1beta1,", "v1,"})
  void missingParametersWereDeniedByTheFirstPolicyBindings(String version, String action) {
    var object =
        read(
            "/validatingadmissionpolicybindings",
            ("{'apiVersion':'admissionregistration.k8s.io/%s','kind':"
                    + "'ValidatingAdmissionPolicyBinding','metadata':{'name':'b'},"
                    + "'spec':{'policyName':'p','paramRef':{'name':'x'}}}")
                .formatted(version));
    assertThat(object.object("spec", "paramRef").string("parameterNotFoundAction"))
        .isEqualTo(action == null ? "" : action);
  }

  @ParameterizedTest
  @ValueSource(strings = {"v1beta1", "v1alpha1"})
  void mutatingPoliciesAreServedUnderTheirNewName(String version) {
    var object =
        read(
            "/mutatingadmissionpolicies",
            ("{'apiVersion':'admissionregistration.k8s.io/%s','kind':'MutatingAdmissionPolicy',"
                    + "'metadata':{'name':'p'},'spec':{}}")
                .formatted(version));
    assertThat(object.string("apiVersion")).isEqualTo("admissionregistration.k8s.io/v1");
    assertThat(at(object, "spec", "failurePolicy")).isEqualTo("'Fail'");
  }

  private static String level(String version, String annotations, String limited) {
    return ("{'apiVersion':'flowcontrol.apiserver.k8s.io/%s','kind':'PriorityLevelConfiguration',"
                + "'metadata':{'name':'l','annotations':{%s}},'spec':{'type':'Limited','limited':{%s}}}")
        .formatted(version, annotations, limited);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "v1beta1 | '' : '' | 'assuredConcurrencyShares':7 | 7",
        "v1beta2 | '' : '' | 'lendablePercent':0 | 30",
        "v1beta3 | '' : '' | 'nominalConcurrencyShares':0 | 30",
        "v1beta3 | 'flowcontrol.k8s.io/v1beta3-preserve-zero-concurrency-shares':'' |"
            + " 'nominalConcurrencyShares':0 | 0",
        "v1beta3 | '' : '' | 'nominalConcurrencyShares':9 | 9",
        "v1 | '' : '' | 'nominalConcurrencyShares':0 | 0"
      })
  void levelsKeepTheirSharesWhateverTheyWereCalled(
      String version, String annotations, String limited, String shares) {
    var object = read("/prioritylevelconfigurations", level(version, annotations, limited));
    assertThat(at(object, "spec", "limited", "nominalConcurrencyShares")).isEqualTo(shares);
    assertThat(object.object("metadata", "annotations").keys()).allMatch(String::isEmpty);
  }

  @Test
  void theFirstRuntimeClassesHadASpec() {
    var object =
        read(
            "/runtimeclasses",
            "{'apiVersion':'node.k8s.io/v1alpha1','kind':'RuntimeClass','metadata':{'name':'r'},"
                + "'spec':{'runtimeHandler':'h','overhead':{'podFixed':{'cpu':'1'}}}}");
    assertThat(object.string("handler")).isEqualTo("h");
    assertThat(at(object, "overhead")).isEqualTo("{'podFixed':{'cpu':'1'}}");
    assertThat(object.has("spec")).isFalse();
  }

  @Test
  void requestsOfTheFirstClaimsAskForOneThingExactly() {
    var object =
        read(
            "/resourceclaims",
            "{'apiVersion':'resource.k8s.io/v1beta1','kind':'ResourceClaim','metadata':{'name':'c',"
                + "'namespace':'n'},'spec':{'devices':{'requests':[{'name':'a','deviceClassName':'d'},"
                + "{'name':'b','firstAvailable':[{'name':'s','deviceClassName':'e'}]}]}}}");
    assertThat(at(object, "spec", "devices", "requests"))
        .isEqualTo(
            "[{'name':'a','exactly':{'deviceClassName':'d','allocationMode':'ExactCount','count':1}},"
                + "{'name':'b','firstAvailable':[{'name':'s','deviceClassName':'e',"
                + "'allocationMode':'ExactCount','count':1}]}]");
  }

  @Test
  void devicesOfTheFirstSlicesAreBasic() {
    var object =
        read(
            "/resourceslices",
            "{'apiVersion':'resource.k8s.io/v1beta1','kind':'ResourceSlice','metadata':{'name':'s'},"
                + "'spec':{'driver':'d','pool':{'name':'p','generation':1,'resourceSliceCount':1},"
                + "'nodeName':'','allNodes':true,'devices':[{'name':'g','basic':{'attributes':"
                + "{'model':{'string':'x'}},'capacity':{'memory':{'value':'1Gi'}},"
                + "'nodeAllocatableResourceMappings':{'cpu':{}}}}]}}");
    assertThat(object.object("spec").has("nodeName")).isFalse();
    assertThat(at(object, "spec", "devices"))
        .isEqualTo(
            "[{'name':'g','attributes':{'model':{'string':'x'}},"
                + "'capacity':{'memory':{'value':'1Gi'}},"
                + "'nodeAllocatableResourceMappings':{'cpu':{'allocationMultiplier':'1'}}}]");
  }
}
