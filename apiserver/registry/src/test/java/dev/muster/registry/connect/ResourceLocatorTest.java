package dev.muster.registry.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.model.User;
import dev.muster.model.json.JsonObject;
import dev.muster.model.status.ApiException;
import dev.muster.registry.commit.Deadline;
import dev.muster.registry.request.RequestContext;
import dev.muster.registry.request.ResourceRequest;
import dev.muster.types.BuiltIns;
import dev.muster.types.ClusterView;
import dev.muster.types.EmptyCluster;
import dev.muster.types.Types;
import dev.muster.types.options.Query;
import dev.muster.validation.core.Verdicts;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ResourceLocatorTest {
  private static final Types CATALOG = BuiltIns.TYPES;

  private final Map<String, JsonObject> objects = new HashMap<>();

  private final ClusterView cluster =
      new EmptyCluster() {
        @Override
        public @Nullable JsonObject get(String collection, String namespace, String name) {
          return objects.get(collection + "/" + namespace + "/" + name);
        }
      };

  private ResourceLocator at(String plural, String name, String subresource, String query) {
    var type = Objects.requireNonNull(CATALOG.find("", "v1", plural));
    var namespace = type.namespaced() ? "a" : "";
    return new ResourceLocator(
        cluster,
        new ResourceRequest(
            type,
            subresource,
            namespace,
            name,
            Query.parse(query),
            RequestContext.trusted(User.ANONYMOUS, "test", new Deadline(0), ignored -> {})),
        new KubeletAddresses(List.of("Hostname", "InternalIP", "ExternalIP"), 10250));
  }

  private void put(String key, String json) {
    objects.put(key, Verdicts.json(json));
  }

  private void pod(String spec, String status) {
    put(
        "/pods/a/p",
        "{'metadata':{'name':'p','namespace':'a'},'spec':" + spec + ",'status':" + status + "}");
  }

  private void node(String status) {
    put("/minions//n", "{'metadata':{'name':'n'},'status':" + status + "}");
  }

  @Test
  void logsOfAPodWithoutANodeAreEmpty() {
    pod("{'containers':[{'name':'c'}]}", "{}");
    assertThat(at("pods", "p", "log", "").log()).isNull();
  }

  @Test
  void logsAreAtTheKubelet() {
    pod("{'nodeName':'n','containers':[{'name':'c'}]}", "{}");
    node(
        "{'addresses':[{'type':'ExternalIP','address':'9.9.9.9'},"
            + "{'type':'InternalIP','address':'10.1.2.3'}]}");
    assertThat(String.valueOf(at("pods", "p", "log", "tailLines=5&follow=true").log()))
        .isEqualTo("https://10.1.2.3:10250/containerLogs/a/p/c?follow=true&tailLines=5");
  }

  @Test
  void logOptionsAreChecked() {
    assertThatThrownBy(() -> at("pods", "p", "log", "tailLines=-1&limitBytes=0").log())
        .hasMessage(
            "PodLogOptions \"p\" is invalid: [tailLines: Invalid value: -1: must be greater than"
                + " or equal to 0, limitBytes: Invalid value: 0: must be greater than 0]");
    assertThatThrownBy(() -> at("pods", "p", "log", "tailLines=x").log())
        .hasMessage("strconv.ParseInt: parsing \"x\": invalid syntax");
  }

  @Test
  void streamsNeedANode() {
    pod("{'containers':[{'name':'c'}]}", "{}");
    assertThatThrownBy(() -> at("pods", "p", "exec", "").stream())
        .hasMessage("pod p does not have a host assigned");
    pod("{'nodeName':'gone','containers':[{'name':'c'}]}", "{}");
    assertThatThrownBy(() -> at("pods", "p", "exec", "").stream())
        .hasMessage("pods \"gone\" not found");
  }

  @Test
  void streamsSayWhatIsConnectedInTheWordsOfKubelets() {
    pod("{'nodeName':'n','containers':[{'name':'c'}]}", "{}");
    node("{'addresses':[{'type':'InternalIP','address':'10.1.2.3'}]}");
    var query = "command=ls&command=/a b&stdout=1&stdin=true&stderr=0&tty=true";
    assertThat(String.valueOf(at("pods", "p", "exec", query).stream()))
        .isEqualTo(
            "https://10.1.2.3:10250/exec/a/p/c?command=ls&command=%2Fa+b&input=1&output=1&tty=1");
  }

  @Test
  void oneOfSeveralContainersIsNamed() {
    pod("{'initContainers':[{'name':'i'}],'containers':[{'name':'b'},{'name':'c'}]}", "{}");
    assertThatThrownBy(() -> at("pods", "p", "exec", "").stream())
        .hasMessage("a container name must be specified for pod p, choose one of: [i b c]");
    assertThatThrownBy(() -> at("pods", "p", "exec", "container=z").stream())
        .hasMessage("container z is not valid for pod p");
  }

  @Test
  void aNodeWithoutAddressesCannotBeReached() {
    pod("{'nodeName':'n','containers':[{'name':'c'}]}", "{}");
    node("{}");
    assertThatThrownBy(() -> at("pods", "p", "portforward", "ports=80").portForward())
        .hasMessage("no preferred addresses found; known addresses: []")
        .satisfies(failure -> assertThat(((ApiException) failure).code()).isEqualTo(500));
  }

  @Test
  void portsAreNumbers() {
    assertThatThrownBy(() -> at("pods", "p", "portforward", "ports=80,x").portForward())
        .hasMessage("cannot convert to []int32: strconv.ParseUint: parsing \"x\": invalid syntax");
  }

  @Test
  void proxiesLeadToTheFirstPortOfAPod() {
    pod("{'containers':[{'name':'c','ports':[{'containerPort':8080}]}]}", "{}");
    assertThatThrownBy(() -> at("pods", "p", "proxy", "").podProxy())
        .hasMessage("address not allowed");
    pod(
        "{'containers':[{'name':'c','ports':[{'containerPort':8080}]}]}",
        "{'podIPs':[{'ip':'10.1.2.3'}]}");
    assertThat(at("pods", "p", "proxy", "").podProxy().toString())
        .isEqualTo("http://10.1.2.3:8080");
    assertThat(at("pods", "https:p:443", "proxy", "").podProxy().toString())
        .isEqualTo("https://10.1.2.3:443");
    assertThatThrownBy(() -> at("pods", "ftp:p:21", "proxy", "").podProxy())
        .hasMessage("invalid pod request \"ftp:p:21\"");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "127.0.0.1",
        "127.8.8.8",
        "::1",
        "::ffff:127.0.0.1",
        "169.254.169.254",
        "::ffff:169.254.169.254",
        "fe80::1",
        "fe80::1%eth0",
        "0.0.0.0",
        "::",
        "224.0.0.1",
        "ff02::1",
        "255.255.255.255",
        "127.1",
        "2130706433",
        "0x7f000001",
        "localhost",
        "metadata.example",
        "10.1.2.3:80",
        "10.1.2.3@127.0.0.1",
        ""
      })
  void aPodCanBeNeitherThisMachineNorItsLinkNorAName(String ip) {
    pod("{'containers':[{'name':'c'}]}", "{'podIPs':[{'ip':'" + ip + "'}]}");
    assertThatThrownBy(() -> at("pods", "p:80", "proxy", "").podProxy())
        .hasMessage("address not allowed")
        .satisfies(failure -> assertThat(((ApiException) failure).code()).isEqualTo(400));
    put("/services/specs/a/s", "{'spec':{'ports':[{'name':'w','port':80}]}}");
    put(
        "/services/endpoints/a/s",
        "{'subsets':[{'addresses':[{'ip':'"
            + ip
            + "','targetRef':{'namespace':'a','name':'p'}}],'ports':[{'name':'w','port':8080}]}]}");
    assertThatThrownBy(() -> at("services", "s:80", "proxy", "").serviceProxy())
        .hasMessage("no endpoints available for service \"s:80\"");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"abc", "99999", "65536", "0", "-1", "+80", "|", "80@10.0.0.1", "8\r\n0", "８０"})
  void whatIsNoPortIsTheClientsMistake(String port) {
    pod("{'containers':[{'name':'c'}]}", "{'podIPs':[{'ip':'10.1.2.3'}]}");
    node("{'addresses':[{'type':'InternalIP','address':'10.1.2.3'}]}");
    assertThatThrownBy(() -> at("pods", "p:" + port, "proxy", "").podProxy())
        .hasMessageStartingWith("invalid pod request \"p:")
        .satisfies(failure -> assertThat(((ApiException) failure).code()).isEqualTo(400));
    assertThatThrownBy(() -> at("nodes", "https:n:" + port, "proxy", "").nodeProxy())
        .hasMessageStartingWith("invalid node request \"https:n:")
        .satisfies(failure -> assertThat(((ApiException) failure).code()).isEqualTo(400));
  }

  @Test
  void aNodeIsReachedAtItsKubeletOrAtAnotherPort() {
    node(
        "{'addresses':[{'type':'InternalIP','address':'10.1.2.3'}],"
            + "'daemonEndpoints':{'kubeletEndpoint':{'Port':10251}}}");
    var kubelet = at("nodes", "n", "proxy", "").nodeProxy();
    assertThat(kubelet.toString()).isEqualTo("https://10.1.2.3:10251");
    assertThat(kubelet.backend()).isEqualTo(Destination.Backend.KUBELET);
    assertThat(at("nodes", "http:n:10251", "proxy", "").nodeProxy()).isEqualTo(kubelet);
    var other = at("nodes", "n:9100", "proxy", "").nodeProxy();
    assertThat(other.toString()).isEqualTo("http://10.1.2.3:9100");
    assertThat(other.backend()).isEqualTo(Destination.Backend.WORKLOAD);
  }

  @Test
  void theBestOfANodesAddressesCounts() {
    pod("{'nodeName':'n','containers':[{'name':'c'}]}", "{}");
    node(
        "{'addresses':[{'type':'InternalIP','address':'10.1.2.3'},"
            + "{'type':'Hostname','address':'worker'}]}");
    assertThat(String.valueOf(at("pods", "p", "log", "").log()))
        .isEqualTo("https://worker:10250/containerLogs/a/p/c");
  }

  @Test
  void aClientMayNotMindWhoTheKubeletIs() {
    pod("{'nodeName':'n','containers':[{'name':'c'}]}", "{}");
    node("{'addresses':[{'type':'InternalIP','address':'10.1.2.3'}]}");
    var query = "insecureSkipTLSVerifyBackend=true";
    assertThat(Objects.requireNonNull(at("pods", "p", "log", query).log()).backend())
        .isEqualTo(Destination.Backend.UNVERIFIED_KUBELET);
  }

  @Test
  void aServiceIsReachedThroughItsPods() {
    put("/services/specs/a/s", "{'spec':{'ports':[{'name':'w','port':80}]}}");
    assertThatThrownBy(() -> at("services", "s", "proxy", "").serviceProxy())
        .hasMessage("services \"s\" not found");
    put(
        "/services/endpoints/a/s",
        "{'subsets':[{'addresses':[{'ip':'10.1.2.3','targetRef':{'namespace':'a','name':'p'}}],"
            + "'ports':[{'name':'w','port':8080}]}]}");
    assertThatThrownBy(() -> at("services", "s:80", "proxy", "").serviceProxy())
        .hasMessage("no endpoints available for service \"s:80\"");
    pod("{}", "{'podIPs':[{'ip':'10.1.2.3'}]}");
    assertThat(at("services", "s:80", "proxy", "").serviceProxy().toString())
        .isEqualTo("http://10.1.2.3:8080");
    assertThatThrownBy(() -> at("services", "s:81", "proxy", "").serviceProxy())
        .hasMessage("no service port 81 found for service \"s\"");
  }
}
