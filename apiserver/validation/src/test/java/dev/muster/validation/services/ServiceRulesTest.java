package dev.muster.validation.services;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.validation.core.Verdicts;
import org.junit.jupiter.api.Test;

class ServiceRulesTest {
  private static final Verdicts SERVICE = new Verdicts(ServiceRules.STRATEGY, true);

  private static String spec(String members) {
    return "{'spec':{'clusterIP':'10.0.0.7'," + members + "}}";
  }

  @Test
  void defaultsFillWhatAServiceNeeds() {
    assertThat(SERVICE.prepared("{'spec':{'ports':[{'port':80}]}}").object("spec"))
        .isEqualTo(
            Verdicts.json(
                "{'ports':[{'port':80,'protocol':'TCP','targetPort':80}],'sessionAffinity':'None',"
                    + "'type':'ClusterIP','internalTrafficPolicy':'Cluster'}"));
    var balanced =
        SERVICE.prepared("{'spec':{'type':'LoadBalancer','sessionAffinity':'ClientIP'}}");
    assertThat(balanced.object("spec").isTrue("allocateLoadBalancerNodePorts")).isTrue();
    assertThat(balanced.object("spec").string("externalTrafficPolicy")).isEqualTo("Cluster");
    assertThat(
            balanced
                .object("spec", "sessionAffinityConfig", "clientIP")
                .integer("timeoutSeconds", 0))
        .isEqualTo(10800);
  }

  @Test
  void portsAreNamedAndUnique() {
    assertThat(SERVICE.create(spec("'ports':[{'port':80},{'port':80,'name':'b'}]")))
        .containsExactly(
            "spec.ports[0].name: Required value",
            "spec.ports[1]: Duplicate value: {\"protocol\":\"TCP\",\"port\":80}");
    assertThat(SERVICE.create(spec("'ports':[{'port':1,'targetPort':'A','nodePort':30000}]")))
        .containsExactly(
            "spec.ports[0].targetPort: Invalid value: \"A\": must contain only alpha-numeric"
                + " characters (a-z, 0-9), and hyphens (-)",
            "spec.ports[0].targetPort: Invalid value: \"A\": must contain at least one letter"
                + " (a-z)",
            "spec.ports[0].nodePort: Forbidden: may not be used when `type` is 'ClusterIP'");
  }

  @Test
  void aHeadlessServiceNeedsNoPorts() {
    assertThat(SERVICE.create("{'spec':{'clusterIP':'None'}}")).isEmpty();
    assertThat(SERVICE.create("{'spec':{'clusterIP':'None','type':'NodePort'}}"))
        .contains(
            "spec.clusterIPs[0]: Invalid value: \"None\": may not be set to 'None' for NodePort"
                + " services");
  }

  @Test
  void aServiceThatIsANameHasNoAddress() {
    assertThat(SERVICE.create("{'spec':{'type':'ExternalName','externalName':'a.example.'}}"))
        .isEmpty();
    assertThat(SERVICE.create(spec("'type':'ExternalName'")))
        .containsExactly(
            "spec.clusterIPs: Forbidden: may not be set for ExternalName services",
            "spec.externalName: Required value");
  }

  @Test
  void addressesAgreeWithFamilies() {
    assertThat(SERVICE.create(spec("'ports':[{'port':1}],'ipFamilies':['IPv6']")))
        .containsExactly(
            "spec.clusterIPs[0]: Invalid value: \"10.0.0.7\": expected an IPv6 value as indicated"
                + " by `ipFamilies[0]`");
    assertThat(SERVICE.create(spec("'ports':[{'port':1}],'clusterIPs':['10.0.0.7','10.0.0.8']")))
        .singleElement()
        .asString()
        .endsWith("may specify no more than one IP for each IP family");
  }

  @Test
  void anAddressStaysOnceGiven() {
    assertThat(
            SERVICE.update(
                spec("'ports':[{'port':1}]"),
                "{'spec':{'clusterIP':'10.0.0.8','ports':[{'port':1}]}}"))
        .containsExactly(
            "spec.clusterIPs[0]: Invalid value: [\"10.0.0.8\"]: may not change once set");
    assertThat(SERVICE.update(spec("'ports':[{'port':1}]"), "{'spec':{'ports':[{'port':2}]}}"))
        .isEmpty();
  }

  @Test
  void anUpdateKeepsNodePortsItDoesNotMention() {
    var old =
        SERVICE.prepared(
            spec("'type':'NodePort','ports':[{'name':'a','port':1,'nodePort':30001}]"));
    var changed = SERVICE.prepared(spec("'type':'NodePort','ports':[{'name':'a','port':2}]"));
    var port =
        SERVICE.strategy().prepareForUpdate(changed, old).object("spec").array("ports").object(0);
    assertThat(port.integer("nodePort", 0)).isEqualTo(30001);
    var inside = SERVICE.prepared(spec("'ports':[{'name':'a','port':1,'nodePort':30001}]"));
    assertThat(
            SERVICE
                .strategy()
                .prepareForUpdate(inside, old)
                .object("spec")
                .array("ports")
                .object(0)
                .has("nodePort"))
        .isFalse();
  }

  @Test
  void fieldsOfOtherTypesAreRefused() {
    assertThat(
            SERVICE.create(
                spec(
                    "'ports':[{'port':1}],'externalTrafficPolicy':'Local',"
                        + "'loadBalancerClass':'a/b','loadBalancerSourceRanges':['10.0.0.1/8'],"
                        + "'healthCheckNodePort':5")))
        .containsExactly(
            "spec.LoadBalancerSourceRanges: Forbidden: may only be used when `type` is"
                + " 'LoadBalancer'",
            "spec.LoadBalancerSourceRanges[0]: Invalid value: \"10.0.0.1/8\": must not have bits"
                + " set beyond the prefix length",
            "spec.loadBalancerClass: Forbidden: may only be used when `type` is 'LoadBalancer'",
            "spec.externalTrafficPolicy: Invalid value: \"Local\": may only be set for"
                + " externally-accessible services",
            "spec.healthCheckNodePort: Invalid value: 5: may only be set when `type` is"
                + " 'LoadBalancer' and `externalTrafficPolicy` is 'Local'");
  }

  @Test
  void warnsAboutWhatIsIgnored() {
    assertThat(
            SERVICE.warnings(
                "{'spec':{'clusterIP':'None','externalIPs':['192.0.2.1'],'externalName':'x'}}"))
        .containsExactly(
            "spec.externalIPs is ignored for headless services",
            "spec.externalName is ignored when spec.type is not \"ExternalName\"");
  }
}
