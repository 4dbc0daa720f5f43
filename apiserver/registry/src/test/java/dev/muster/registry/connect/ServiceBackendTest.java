package dev.muster.registry.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.model.json.JsonObject;
import dev.muster.types.ClusterView;
import dev.muster.types.EmptyCluster;
import dev.muster.validation.core.Verdicts;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ServiceBackendTest {
  private @Nullable JsonObject service;
  private final List<JsonObject> slices = new ArrayList<>();
  private final Random random = new Random(1);

  private final ClusterView cluster =
      new EmptyCluster() {
        @Override
        public @Nullable JsonObject get(String collection, String namespace, String name) {
          return collection.equals("/services/specs") && namespace.equals("a") ? service : null;
        }

        @Override
        public List<JsonObject> list(String collection, String namespace) {
          return collection.equals("/endpointslices") && namespace.equals("a") ? slices : List.of();
        }
      };

  private void service(String spec) {
    service =
        Verdicts.json(
            "{\"metadata\":{\"name\":\"hook\",\"namespace\":\"a\"},\"spec\":" + spec + "}");
  }

  private void slice(String owner, String family, String ports, String endpoints) {
    slices.add(
        Verdicts.json(
            """
            {"metadata":{"labels":{"kubernetes.io/service-name":"%s"}},"addressType":"%s",
             "ports":%s,"endpoints":%s}
            """
                .formatted(owner, family, ports, endpoints)));
  }

  private Set<ServiceBackend> chosen(int port) throws ServiceBackend.Missing {
    var found = new HashSet<ServiceBackend>();
    for (int i = 0; i < 100; i++) {
      found.add(ServiceBackend.choose(cluster, "a", "hook", port, random));
    }
    return found;
  }

  private void refused(int port, String why) {
    assertThatThrownBy(() -> chosen(port)).hasMessage(why);
  }

  @Test
  void everyReadyEndpointOfThePortIsChosen() throws Exception {
    service(
        """
        {"type":"ClusterIP","clusterIP":"10.0.0.1","ipFamilies":["IPv4"],
         "ports":[{"name":"https","port":443,"targetPort":9443},{"name":"metrics","port":80}]}
        """);
    slice(
        "hook",
        "IPv4",
        "[{\"name\":\"metrics\",\"port\":8080},{\"name\":\"https\",\"port\":9443}]",
        """
        [{"addresses":["10.1.0.1"]},
         {"addresses":["10.1.0.2"],"conditions":{"ready":true}},
         {"addresses":["10.1.0.3"],"conditions":{"ready":false}}]
        """);
    slice("other", "IPv4", "[{\"name\":\"https\",\"port\":1}]", "[{\"addresses\":[\"10.9.0.1\"]}]");
    slice(
        "hook", "IPv6", "[{\"name\":\"https\",\"port\":9443}]", "[{\"addresses\":[\"fd00::1\"]}]");
    assertThat(chosen(443))
        .containsOnly(new ServiceBackend("10.1.0.1", 9443), new ServiceBackend("10.1.0.2", 9443));
  }

  @Test
  void theOtherAddressFamilyAnswersWhenTheFirstHasNobody() throws Exception {
    service(
        """
        {"type":"NodePort","clusterIP":"10.0.0.1","ipFamilies":["IPv4","IPv6"],"ports":[{"port":443}]}
        """);
    slice(
        "hook",
        "IPv4",
        "[{\"name\":\"\",\"port\":1}]",
        "[{\"addresses\":[\"10.1.0.1\"],\"conditions\":{\"ready\":false}}]");
    slice("hook", "IPv6", "[{\"name\":\"\",\"port\":2}]", "[{\"addresses\":[\"fd00::1\"]}]");
    assertThat(chosen(443)).containsOnly(new ServiceBackend("fd00::1", 2));
  }

  @Test
  void aServiceThatOnlyStandsForANameIsThatNameAtTheReferencesPort() throws Exception {
    service("{\"type\":\"ExternalName\",\"externalName\":\"localhost\"}");
    assertThat(chosen(7)).containsOnly(new ServiceBackend("localhost", 7));
  }

  @Test
  void whatCannotBeReachedIsSaidAsUpstreamSaysIt() {
    refused(443, "service \"hook\" not found");
    service("{\"type\":\"ClusterIP\",\"clusterIP\":\"None\",\"ports\":[{\"port\":443}]}");
    refused(443, "cannot route to service with ClusterIP \"None\"");
    service("{\"type\":\"ClusterIP\",\"clusterIP\":\"10.0.0.1\",\"ports\":[{\"port\":80}]}");
    refused(444, "no service port 444 found for service \"hook\"");
    refused(80, "no endpoints available for service \"hook\"");
  }

  @Test
  void whoWantsEndpointsGetsThoseOfAHeadlessServiceAndNoNames() throws Exception {
    service("{\"type\":\"ClusterIP\",\"clusterIP\":\"None\",\"ports\":[{\"port\":443}]}");
    slice("hook", "IPv4", "[{\"name\":\"\",\"port\":1}]", "[{\"addresses\":[\"10.1.0.1\"]}]");
    assertThat(ServiceBackend.chooseEndpoint(cluster, "a", "hook", 443, random))
        .isEqualTo(new ServiceBackend("10.1.0.1", 1));
    service("{\"type\":\"ExternalName\",\"externalName\":\"localhost\"}");
    assertThatThrownBy(() -> ServiceBackend.chooseEndpoint(cluster, "a", "hook", 443, random))
        .hasMessage("unsupported service type \"ExternalName\"");
  }
}
