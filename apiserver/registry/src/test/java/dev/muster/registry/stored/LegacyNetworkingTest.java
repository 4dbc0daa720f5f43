package dev.muster.registry.stored;

import static dev.muster.registry.stored.Stored.at;
import static dev.muster.registry.stored.Stored.read;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Ingresses, policies, endpoints and events of former versions are served in today's. */
class LegacyNetworkingTest {
  @ParameterizedTest
  @ValueSource(strings = {"extensions/v1beta1", "networking.k8s.io/v1beta1"})
  void backendsOfIngressesNameServicesAsTheyDoNow(String version) {
    var object =
        read(
            "/ingress",
            ("{'apiVersion':'%s','kind':'Ingress','metadata':{'name':'i','namespace':'n'},"
                 + "'spec':{'backend':{'serviceName':'d','servicePort':'web'},'rules':[{'host':'h',"
                 + "'http':{'paths':[{'path':'/p','backend':{'serviceName':'s','servicePort':80}},"
                 + "{'path':'/q','pathType':'Exact','backend':{'serviceName':'','servicePort':0,"
                 + "'resource':{'kind':'K','name':'r'}}}]}}]}}")
                .formatted(version));
    assertThat(object.string("apiVersion")).isEqualTo("networking.k8s.io/v1");
    assertThat(at(object, "spec", "defaultBackend"))
        .isEqualTo("{'service':{'name':'d','port':{'name':'web'}}}");
    var paths = object.object("spec").array("rules").object(0).object("http").array("paths");
    assertThat(paths.object(0).toString().replace('"', '\''))
        .isEqualTo(
            "{'path':'/p','pathType':'ImplementationSpecific',"
                + "'backend':{'service':{'name':'s','port':{'number':80}}}}");
    assertThat(paths.object(1).toString().replace('"', '\''))
        .isEqualTo(
            "{'path':'/q','pathType':'Exact','backend':{'resource':{'apiGroup':null,'kind':'K','name':'r'}}}");
  }

  @Test
  void parametersOfTheFirstIngressClassesHaveNoScopeOfTheirOwn() {
    var spec = "'metadata':{'name':'c'},'spec':{'parameters':{'kind':'K','name':'p'}}}";
    var first =
        read(
            "/ingressclasses",
            "{'apiVersion':'networking.k8s.io/v1beta1','kind':'IngressClass'," + spec);
    assertThat(at(first, "spec", "parameters", "scope")).isEqualTo("null");
    var now =
        read(
            "/ingressclasses",
            "{'apiVersion':'networking.k8s.io/v1','kind':'IngressClass'," + spec);
    assertThat(at(now, "spec", "parameters", "scope")).isEqualTo("'Cluster'");
  }

  @Test
  void policiesOfExtensionsLeaveThePortsOfOutgoingTrafficAlone() {
    var object =
        read(
            "/networkpolicies",
            "{'apiVersion':'extensions/v1beta1','kind':'NetworkPolicy','metadata':{'name':'p',"
                + "'namespace':'n'},'spec':{'podSelector':{},'ingress':[{'ports':[{'port':1}]}],"
                + "'egress':[{'ports':[{'port':2}]}]}}");
    assertThat(at(object, "spec", "policyTypes")).isEqualTo("['Ingress','Egress']");
    assertThat(at(object, "spec", "ingress"))
        .isEqualTo("[{'ports':[{'protocol':'TCP','port':1}]}]");
    assertThat(at(object, "spec", "egress")).isEqualTo("[{'ports':[{'port':2}]}]");
  }

  @Test
  void zoneAndNodeOfAnEndpointLeaveItsTopology() {
    var object =
        read(
            "/endpointslices",
            "{'apiVersion':'discovery.k8s.io/v1beta1','kind':'EndpointSlice','metadata':{'name':'s',"
                + "'namespace':'n'},'addressType':'IPv4','endpoints':[{'addresses':['1.2.3.4'],"
                + "'nodeName':'node1','topology':{'kubernetes.io/hostname':'node1',"
                + "'topology.kubernetes.io/zone':'z','rack':'r'}},{'addresses':['1.2.3.5'],"
                + "'topology':{'kubernetes.io/hostname':'node2'}}],'ports':[{'port':80}]}");
    assertThat(at(object, "endpoints"))
        .isEqualTo(
            "[{'addresses':['1.2.3.4'],'conditions':{},'deprecatedTopology':{'rack':'r'},"
                + "'nodeName':'node1','zone':'z'},{'addresses':['1.2.3.5'],'conditions':{},"
                + "'deprecatedTopology':{'kubernetes.io/hostname':'node2'}}]");
    assertThat(at(object, "ports")).isEqualTo("[{'name':'','protocol':'TCP','port':80}]");
  }

  @ParameterizedTest
  @ValueSource(strings = {"events.k8s.io/v1beta1", "events.k8s.io/v1"})
  void eventsOfTheirOwnGroupAreServedAsEventsOfTheCore(String version) {
    var object =
        read(
            "/events",
            ("{'apiVersion':'%s','kind':'Event','metadata':{'name':'e','namespace':'n'},"
                    + "'regarding':{'kind':'Pod','name':'p'},'note':'hello','reason':'R',"
                    + "'type':'Normal','deprecatedCount':2,'reportingController':'c'}")
                .formatted(version));
    assertThat(object.string("apiVersion")).isEqualTo("v1");
    assertThat(at(object, "involvedObject")).isEqualTo("{'kind':'Pod','name':'p'}");
    assertThat(object.string("message")).isEqualTo("hello");
    assertThat(at(object, "count")).isEqualTo("2");
    assertThat(object.string("reportingComponent")).isEqualTo("c");
  }
}
