package dev.muster.controllers.services;

import static dev.muster.controllers.Yaml.object;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.model.json.JsonObject;
import java.util.List;
import org.junit.jupiter.api.Test;

class ServiceRangesTest {
  private static JsonObject range(String name, String cidr) {
    return object("{metadata: {name: %s}, spec: {cidrs: ['%s']}}".formatted(name, cidr));
  }

  private static JsonObject address(String ip) {
    return object(
        "metadata: {name: '%s', labels: {ipaddress.kubernetes.io/managed-by: ipallocator.k8s.io}}"
            .formatted(ip));
  }

  @Test
  void aRangeStaysWhileAServiceHasAnAddressThatOnlyItHolds() {
    var range = range("a", "10.1.0.0/24");
    var other = range("b", "10.2.0.0/24");
    var both = List.of(range, other);
    assertThat(ServiceRanges.canGo(range, both, List.of(address("10.1.0.5")))).isFalse();
    assertThat(ServiceRanges.canGo(range, both, List.of(address("10.2.0.5")))).isTrue();
    assertThat(ServiceRanges.canGo(range, both, List.of(object("metadata: {name: 10.1.0.5}"))))
        .isTrue();
  }

  @Test
  void aRangeWithinAnotherCanGo() {
    var range = range("a", "10.1.0.0/24");
    var wider = range("b", "10.1.0.0/16");
    var used = List.of(address("10.1.0.5"));
    assertThat(ServiceRanges.canGo(range, List.of(range, wider), used)).isTrue();
    assertThat(ServiceRanges.canGo(wider, List.of(range, wider), used)).isTrue();
    assertThat(ServiceRanges.canGo(wider, List.of(range, wider), List.of(address("10.1.7.5"))))
        .isFalse();
  }
}
