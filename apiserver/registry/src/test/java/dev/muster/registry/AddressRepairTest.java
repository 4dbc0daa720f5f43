package dev.muster.registry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.model.address.Cidr;
import dev.muster.model.json.JsonObject;
import dev.muster.registry.services.AddressRepair;
import dev.muster.registry.services.ServiceAllocations;
import dev.muster.schema.storage.JsonStorageCodec;
import dev.muster.store.Operation;
import dev.muster.types.ObjectMeta;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is done about Services and IPAddresses that somebody has taken apart. */
class AddressRepairTest {
  private static final String ADDRESS = "10.0.0.9";

  private final Workbench bench =
      new Workbench(
          new ServiceAllocations(
              List.of(Cidr.parse("10.0.0.0/24")),
              30000,
              30009,
              new JsonStorageCodec(),
              new Random(1),
              InstantSource.system()));

  @BeforeEach
  void makeService() {
    put(
        "/servicecidrs/kubernetes",
        "{'kind':'ServiceCIDR','apiVersion':'networking.k8s.io/v1',"
            + "'metadata':{'name':'kubernetes'},'spec':{'cidrs':['10.0.0.0/24']}}");
    bench.create(
        "v1/services",
        "{'metadata':{'name':'s'},'spec':{'ports':[{'port':1}],'clusterIP':'" + ADDRESS + "'}}");
  }

  @AfterEach
  void close() {
    bench.close();
  }

  private void put(String key, String object) {
    var value = object.replace('\'', '"').getBytes(StandardCharsets.UTF_8);
    bench.commit(new Operation.Put(key, value, Operation.ANY));
  }

  private AddressRepair repair(Duration later) {
    return AddressRepair.of(bench.snapshot(), Instant.now().plus(later));
  }

  private static List<String> names(List<JsonObject> objects) {
    return objects.stream().map(ObjectMeta::name).toList();
  }

  @Test
  void nothingIsDoneWhereBothAgree() {
    var repair = repair(Duration.ofHours(1));
    assertThat(repair.missing()).isEmpty();
    assertThat(repair.superfluous()).isEmpty();
    assertThat(repair.undecided()).isFalse();
  }

  @Test
  void anIPAddressThatWasDeletedComesBack() {
    bench.commit(new Operation.Delete("/ipaddresses/" + ADDRESS, Operation.ANY));
    var repair = repair(Duration.ZERO);
    assertThat(names(repair.missing())).containsExactly(ADDRESS);
    assertThat(repair.missing().getFirst().object("spec", "parentRef").string("name"))
        .isEqualTo("s");
  }

  @Test
  void anIPAddressWhoseServiceIsGoneGoesAfterAMinute() {
    bench.commit(new Operation.Delete("/services/specs/a/s", Operation.ANY));
    var early = repair(Duration.ZERO);
    assertThat(early.superfluous()).isEmpty();
    assertThat(early.undecided()).isTrue();
    assertThat(names(repair(Duration.ofMinutes(2)).superfluous())).containsExactly(ADDRESS);
  }

  @Test
  void anIPAddressThatSomebodyMadeForAPurposeOfHisStays() {
    put(
        "/ipaddresses/10.0.0.77",
        "{'kind':'IPAddress','apiVersion':'networking.k8s.io/v1',"
            + "'metadata':{'name':'10.0.0.77'},'spec':{'parentRef':{'resource':'pods','name':'p',"
            + "'namespace':'n'}}}");
    assertThat(repair(Duration.ofHours(1)).superfluous()).isEmpty();
  }

  @Test
  void anIPAddressThatIsNotLabelledAsTheServersIsMadeAnew() {
    put(
        "/ipaddresses/" + ADDRESS,
        "{'kind':'IPAddress','apiVersion':'networking.k8s.io/v1','metadata':{'name':'10.0.0.9'},"
            + "'spec':{'parentRef':{'resource':'services','name':'s','namespace':'a'}}}");
    var repair = repair(Duration.ZERO);
    assertThat(names(repair.superfluous())).containsExactly(ADDRESS);
    assertThat(names(repair.missing())).containsExactly(ADDRESS);
  }
}
