package dev.muster.multicluster.services;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.math.BigInteger;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class AddressRangeTest {
  @Test
  void neitherTheFirstNorTheLastAddressIsGiven() {
    var range = AddressRange.parse("10.0.0.0/30");
    assertThat(range.size()).isEqualTo(2);
    assertThat(range.address(0)).hasToString("10.0.0.1");
    assertThat(range.address(1)).hasToString("10.0.0.2");
  }

  @Test
  void noPlaceOfAWideRangeLiesOutsideOfIt() {
    for (var text : List.of("10.0.0.0/8", "10.16.0.0/12", "10.16.0.0/13", "fd10:249::/108")) {
      var range = AddressRange.parse(text);
      var last = range.address(range.size() - 1);
      assertThat(range.cidr().contains(last)).isTrue();
      assertThat(last).isNotEqualTo(range.cidr().at(range.cidr().size().subtract(BigInteger.ONE)));
    }
  }

  @Test
  void highAndLongAddressesAreWholeAddresses() {
    assertThat(AddressRange.parse("241.0.0.0/8").address(1 << 19)).hasToString("241.8.0.1");
    assertThat(AddressRange.parse("fd10:249::/112").address(0)).hasToString("fd10:249::1");
    assertThat(AddressRange.parse("::/64").address(4)).hasToString("::5");
  }

  @Test
  void whatIsNoRangeIsRefusedWithTheReason() {
    for (var text : List.of("", "10.0.0.0", "10.0.0.0/x", "10.0.0.0/33", "10.0.0.1/24", "a/24")) {
      assertThatIllegalArgumentException().isThrownBy(() -> AddressRange.parse(text));
    }
    assertThatIllegalArgumentException()
        .isThrownBy(() -> AddressRange.parseAll(List.of("10.0.0.0/24", "10.1.0.0/24")))
        .withMessageContaining("a range of its family");
  }

  @Test
  void noTwoServicesShareAnAddressAndTheRangeEnds() {
    var set = new ClusterSetInMemory();
    var hub =
        new ServiceHub(
            set.hubObjects, set.hub.namespace(), List.of(AddressRange.parse("10.0.0.0/28")));
    var addresses = new ClusterSetIps(hub, "east");
    var merge = exportedBy("east", List.of("IPv4", "IPv6"));
    var given = new HashSet<String>();
    for (int i = 0; i < 14; i++) {
      given.addAll(addresses.of(new ServiceName("test", "s" + i), merge, List.of()));
    }
    assertThat(given).hasSize(14);
    assertThat(addresses.of(new ServiceName("test", "late"), merge, List.of())).isEmpty();
    addresses.release(new ServiceName("test", "s3"));
    assertThat(addresses.of(new ServiceName("test", "late"), merge, List.of())).hasSize(1);
    var ofOther = new ClusterSetIps(hub, "west");
    assertThat(ofOther.of(new ServiceName("test", "s4"), merge, List.of()))
        .isEqualTo(addresses.of(new ServiceName("test", "s4"), merge, List.of()));
    ofOther.release(new ServiceName("test", "s4"));
    assertThat(ofOther.of(new ServiceName("test", "s4"), merge, List.of())).hasSize(1);
  }

  private static ServiceMerge exportedBy(String cluster, List<String> families) {
    Map<String, Object> spec = Map.of("clusterIP", "10.0.0.1", "ipFamilies", families);
    return ServiceMerge.of(List.of(ExportedService.of(cluster, Map.of(), Map.of("spec", spec))));
  }
}
