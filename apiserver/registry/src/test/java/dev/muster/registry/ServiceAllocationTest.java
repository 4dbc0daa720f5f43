package dev.muster.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.model.address.Cidr;
import dev.muster.model.json.JsonObject;
import dev.muster.registry.services.ServiceAllocations;
import dev.muster.registry.write.WriteResult;
import dev.muster.schema.storage.JsonStorageCodec;
import dev.muster.store.Operation;
import dev.muster.types.options.DeleteOptions;
import java.time.InstantSource;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What Services get that others must not have. */
class ServiceAllocationTest {
  private static final String SERVICES = "v1/services";
  private static final String ADDRESSES = "networking.k8s.io/v1/ipaddresses";

  private final Workbench bench =
      new Workbench(
          new ServiceAllocations(
              List.of(Cidr.parse("10.0.0.0/24"), Cidr.parse("fd00:10::/112")),
              30000,
              30009,
              new JsonStorageCodec(),
              new Random(1),
              InstantSource.system()));

  @AfterEach
  void close() {
    bench.close();
  }

  private WriteResult create(String name, String spec) {
    return bench.create(SERVICES, service(name, spec));
  }

  private JsonObject tried(String name, String spec) {
    var writeResult = bench.create(SERVICES, service(name, spec), "dryRun=All");
    return ((WriteResult.Shown) writeResult).object().object("spec");
  }

  private static String service(String name, String spec) {
    return "{'metadata':{'name':'" + name + "'},'spec':{" + spec + "}}";
  }

  private void patch(String name, String spec) {
    bench.patch(SERVICES, name, "", "{'spec':{" + spec + "}}");
  }

  private JsonObject spec(String name) {
    return bench.stored(SERVICES, name).object("spec");
  }

  @Test
  void anAddressThatMayNotChangeIsNotAskedFor() {
    create("s", "'ports':[{'port':1}]");
    assertThatThrownBy(() -> patch("s", "'clusterIP':'192.0.2.1','clusterIPs':['192.0.2.1']"))
        .hasMessageContaining("spec.clusterIPs[0]: Invalid value: [\"192.0.2.1\"]: may not change");
    create("none", "'clusterIP':'None','selector':{'a':'b'}");
    assertThatThrownBy(() -> patch("none", "'clusterIP':'192.0.2.1','clusterIPs':['192.0.2.1']"))
        .hasMessageContaining("may not change once set");
  }

  @Test
  void aSecondAddressComesAndGoesWithThePolicy() {
    create("s", "'ports':[{'port':1}]");
    var first = spec("s").array("clusterIPs").strings().getFirst();
    patch("s", "'ipFamilyPolicy':'RequireDualStack'");
    var both = spec("s").array("clusterIPs").strings();
    assertThat(both).hasSize(2).startsWith(first);
    assertThat(bench.stored(ADDRESSES, both.getLast()).isEmpty()).isFalse();
    assertThatThrownBy(() -> patch("s", "'clusterIP':'10.0.0.9','clusterIPs':['10.0.0.9']"))
        .hasMessageContaining(
            "spec.ipFamilyPolicy: Invalid value: \"RequireDualStack\": must be 'SingleStack' to"
                + " release the secondary cluster IP");
    patch("s", "'ipFamilyPolicy':'SingleStack'");
    assertThat(spec("s").array("clusterIPs").strings()).containsExactly(first);
    assertThat(bench.stored(ADDRESSES, both.getLast()).isEmpty()).isTrue();
  }

  @Test
  void aChangeBringsTheIPAddressBackThatSomebodyDeleted() {
    create("s", "'ports':[{'port':1}],'clusterIP':'10.0.0.9'");
    for (var change : List.of("'ports':[{'port':2}]", "'ipFamilyPolicy':'RequireDualStack'")) {
      bench.commit(new Operation.Delete("/ipaddresses/10.0.0.9", Operation.ANY));
      assertThat(bench.stored(ADDRESSES, "10.0.0.9").isEmpty()).isTrue();
      patch("s", change);
      var parent = bench.stored(ADDRESSES, "10.0.0.9").object("spec").object("parentRef");
      assertThat(parent.string("name")).isEqualTo("s");
    }
    assertThatThrownBy(() -> create("t", "'ports':[{'port':1}],'clusterIP':'10.0.0.9'"))
        .hasMessageContaining("provided IP is already allocated");
  }

  @Test
  void anAddressIsTakenInItsCanonicalForm() {
    create("s", "'ports':[{'port':1}],'clusterIP':'FD00:10::AB','ipFamilies':['IPv6']");
    assertThat(spec("s").string("clusterIP")).isEqualTo("FD00:10::AB");
    assertThat(bench.stored(ADDRESSES, "fd00:10::ab").isEmpty()).isFalse();
    assertThatThrownBy(() -> create("t", "'ports':[{'port':1}],'clusterIP':'fd00:10::ab'"))
        .hasMessageContaining("provided IP is already allocated");
    patch("s", "'type':'ExternalName','externalName':'a.example'");
    assertThat(spec("s").has("clusterIPs")).isFalse();
    assertThat(bench.stored(ADDRESSES, "fd00:10::ab").isEmpty()).isTrue();
  }

  @Test
  void theFirstAddressOfEveryRangeIsNobodysWhoAsksForIt() {
    var kept = "the first address of a range is kept for the Service kubernetes of the namespace";
    for (var address : List.of("10.0.0.1", "fd00:10::1", "FD00:10:0::1")) {
      assertThatThrownBy(() -> create("s", "'ports':[{'port':1}],'clusterIP':'" + address + "'"))
          .hasMessageContaining("failed to allocate IP " + address + ": " + kept);
      assertThatThrownBy(() -> tried("s", "'ports':[{'port':1}],'clusterIP':'" + address + "'"))
          .hasMessageContaining(kept);
    }
    create("two", "'ports':[{'port':1}],'clusterIP':'10.0.0.9'");
    assertThatThrownBy(
            () ->
                patch(
                    "two",
                    "'ipFamilyPolicy':'RequireDualStack','clusterIPs':['10.0.0.9','fd00:10::1']"))
        .hasMessageContaining(kept);
  }

  @Test
  void aRangeThatIsFullStillHasItsFirstAddress() {
    try (var small =
        new Workbench(
            new ServiceAllocations(
                List.of(Cidr.parse("10.0.0.0/24"), Cidr.parse("fd00:10::/125")),
                30000,
                30009,
                new JsonStorageCodec(),
                new Random(1),
                InstantSource.system()))) {
      for (int i = 2; i <= 7; i++) {
        small.create(SERVICES, service("s" + i, "'ports':[{'port':1}],'ipFamilies':['IPv6']"));
      }
      assertThatThrownBy(
              () ->
                  small.create(
                      SERVICES, service("s", "'ports':[{'port':1}],'ipFamilies':['IPv6']")))
          .hasMessageContaining("range is full");
      assertThat(small.stored(ADDRESSES, "fd00:10::1").isEmpty()).isTrue();
      assertThat(small.stored(ADDRESSES, "fd00:10::2").isEmpty()).isFalse();
    }
  }

  @Test
  void aDryRunTakesNothingAndMindsOnlyTheRangeOfAddresses() {
    create("s", "'ports':[{'port':1}],'clusterIP':'10.0.0.9'");
    assertThat(tried("t", "'ports':[{'port':1}],'clusterIP':'10.0.0.9'").string("clusterIP"))
        .isEqualTo("10.0.0.9");
    assertThat(tried("t", "'ports':[{'port':1}]").string("clusterIP")).isEqualTo("10.0.0.0");
    assertThatThrownBy(() -> tried("t", "'ports':[{'port':1}],'clusterIP':'192.0.2.1'"))
        .hasMessageContaining(
            "the provided IP (192.0.2.1) is not in the valid range. The range of valid IPs is"
                + " 10.0.0.0/24");
    var ports =
        tried(
                "t",
                "'type':'NodePort','ports':[{'name':'a','port':1,'nodePort':7},"
                    + "{'name':'b','port':2}]")
            .array("ports");
    assertThat(ports.object(0).integer("nodePort", 0)).isEqualTo(7);
    assertThat(ports.object(1).integer("nodePort", 0)).isEqualTo(8);
    assertThat(spec("t").isEmpty()).isTrue();
  }

  @Test
  void nodePortsAreTakenOnce() {
    create("s", "'type':'NodePort','ports':[{'port':1,'nodePort':30001}]");
    assertThatThrownBy(() -> create("t", "'type':'NodePort','ports':[{'port':1,'nodePort':30001}]"))
        .hasMessageContaining(
            "spec.ports[0].nodePort: Invalid value: 30001: provided port is already allocated");
    assertThatThrownBy(() -> create("t", "'type':'NodePort','ports':[{'port':1,'nodePort':8}]"))
        .hasMessageContaining("The range of valid ports is 30000-30009");
    create(
        "both",
        "'type':'NodePort','ports':[{'name':'a','port':1},"
            + "{'name':'b','port':1,'protocol':'UDP'}]");
    var shared = spec("both").array("ports");
    assertThat(shared.object(0).get("nodePort")).isEqualTo(shared.object(1).get("nodePort"));
  }

  @Test
  void aHealthCheckPortStaysAndIsNobodyElses() {
    create("s", "'type':'LoadBalancer','externalTrafficPolicy':'Local','ports':[{'port':1}]");
    long check = spec("s").integer("healthCheckNodePort", 0);
    assertThatThrownBy(() -> patch("s", "'healthCheckNodePort':7"))
        .hasMessageContaining("spec.healthCheckNodePort: Forbidden: field is immutable");
    assertThatThrownBy(() -> patch("s", "'ports':[{'port':1,'nodePort':" + check + "}]"))
        .hasMessageContaining("provided port is already allocated");
    patch("s", "'externalTrafficPolicy':'Cluster'");
    assertThat(spec("s").has("healthCheckNodePort")).isFalse();
    assertThatCode(
            () -> create("t", "'type':'NodePort','ports':[{'port':1,'nodePort':" + check + "}]"))
        .doesNotThrowAnyException();
  }

  @Test
  void endpointsGoWithTheirService() {
    create("s", "'clusterIP':'None'");
    bench.create(
        "v1/endpoints", "{'metadata':{'name':'s'},'subsets':[{'addresses':[{'ip':'192.0.2.1'}]}]}");
    var resourceRequest = bench.call(SERVICES, "s", "");
    bench
        .handlers
        .deletes()
        .delete(resourceRequest, DeleteOptions.of(null, resourceRequest.query()));
    assertThat(bench.stored("v1/endpoints", "s").isEmpty()).isTrue();
  }

  @Test
  void nobodyOwnsAnAddressUnderANameThatNoPathCanHold() {
    assertThatThrownBy(() -> create("..", "'clusterIP':'10.0.0.7','ports':[{'port':1}]"))
        .hasMessage(
            "Service \"..\" is invalid: spec.clusterIPs: Invalid value: [\"10.0.0.7\"]: failed to"
                + " allocate IP 10.0.0.7: IPAddress.networking.k8s.io \"10.0.0.7\" is invalid:"
                + " spec.parentRef.name: Invalid value: \"..\": may not be '..'");
    assertThatThrownBy(() -> create("", "'ports':[{'port':1}]"))
        .hasMessageContaining("failed to allocate IP: IPAddress")
        .hasMessageEndingWith("spec.parentRef.name: Required value");
    assertThatThrownBy(() -> tried("..", "'ports':[{'port':1}]"))
        .hasMessageContaining("metadata.name: Invalid value");
  }
}
