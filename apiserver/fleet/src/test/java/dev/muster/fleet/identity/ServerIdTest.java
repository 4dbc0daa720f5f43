package dev.muster.fleet.identity;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ServerIdTest {
  @Test
  void isHostnamePidAndSixBase58Digits() {
    assertThat(ServerId.generate("node-1", 42, new Random(1)).toString())
        .matches("node-1-42-[1-9A-HJ-NP-Za-km-z]{6}");
  }

  @Test
  void isNewEachTime() {
    var random = new Random(2);
    Set<String> seen = new HashSet<>();
    for (int i = 0; i < 10_000; i++) {
      seen.add(ServerId.generate("h", 1, random).toString());
    }
    assertThat(seen).hasSize(10_000);
  }

  @Test
  void leaseNamesAreNamesOfObjects() {
    assertThat(new ServerId("Node_A", 7, "AbCdEf").leaseName()).isEqualTo("node-a-7-abcdef");
    assertThat(new ServerId("a.example.com", 7, "AbCdEf").leaseName())
        .isEqualTo("a.example.com-7-abcdef");
    assertThat(new ServerId("-odd.-host..x-", 7, "AbCdEf").leaseName())
        .isEqualTo("odd.host.x--7-abcdef");
    assertThat(new ServerId("größe", 7, "AbCdEf").leaseName()).isEqualTo("gr--e-7-abcdef");
    var longest = new ServerId("x".repeat(300), 7, "AbCdEf").leaseName();
    assertThat(longest).hasSize(253).endsWith("-7-abcdef");
  }

  @Test
  void hostnamesBecomeValuesOfLabels() {
    assertThat(new ServerId("Node_A", 7, "x").hostnameLabel()).isEqualTo("Node_A");
    assertThat(new ServerId("-größe-", 7, "x").hostnameLabel()).isEqualTo("gr--e");
    assertThat(new ServerId("y".repeat(100), 7, "x").hostnameLabel()).hasSize(63);
  }
}
