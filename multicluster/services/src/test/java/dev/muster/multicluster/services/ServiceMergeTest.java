package dev.muster.multicluster.services;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ServiceMergeTest {
  private static final ServicePortSpec HTTP = new ServicePortSpec("http", "TCP", "", 80);
  private static final ServicePortSpec DNS = new ServicePortSpec("dns", "UDP", "", 53);

  private static ExportedService export(String cluster, int second, ServicePortSpec... ports) {
    return new ExportedService(
        cluster,
        Instant.ofEpochSecond(second),
        false,
        List.of(ports),
        "None",
        Map.of(),
        List.of("IPv4"),
        "Cluster",
        "",
        Map.of(),
        Map.of());
  }

  @Test
  void exportsThatAgreeHaveNoConflict() {
    var merge = ServiceMerge.of(List.of(export("b", 1, HTTP), export("a", 2, HTTP)));
    assertThat(merge.conflicts()).isEmpty();
    assertThat(merge.reason()).isEqualTo("NoConflicts");
    assertThat(merge.clusters()).containsExactly("a", "b");
  }

  @Test
  void portsAreUnited() {
    var merge = ServiceMerge.of(List.of(export("a", 1, HTTP), export("b", 2, DNS, HTTP)));
    assertThat(merge.service().ports()).containsExactly(HTTP, DNS);
    assertThat(merge.conflicts()).isEmpty();
  }

  @Test
  void aPortOfTheSameNameAndAnotherNumberIsTheOldest() {
    var other = new ServicePortSpec("http", "TCP", "", 8080);
    var merge = ServiceMerge.of(List.of(export("a", 2, other), export("b", 1, HTTP)));
    assertThat(merge.service().ports()).containsExactly(HTTP);
    assertThat(merge.reason()).isEqualTo("PortConflict");
    assertThat(merge.message()).contains("the export of b is the oldest");
  }

  @Test
  void aNumberHasOneName() {
    var other = new ServicePortSpec("web", "TCP", "", 80);
    var merge = ServiceMerge.of(List.of(export("a", 1, HTTP), export("b", 2, other)));
    assertThat(merge.service().ports()).containsExactly(HTTP);
    assertThat(merge.reason()).isEqualTo("PortConflict");
  }

  @Test
  void portsWithoutNamesAreKnownByTheirNumbers() {
    var one = new ServicePortSpec("", "TCP", "", 80);
    var two = new ServicePortSpec("", "TCP", "", 81);
    var merge = ServiceMerge.of(List.of(export("a", 1, one), export("b", 2, two)));
    assertThat(merge.service().ports()).containsExactly(one, two);
    assertThat(merge.conflicts()).isEmpty();
  }

  @Test
  void everyDifferenceHasItsReason() {
    var odd =
        new ExportedService(
            "b",
            Instant.ofEpochSecond(9),
            true,
            List.of(HTTP),
            "ClientIP",
            Map.of("clientIP", Map.of("timeoutSeconds", 5)),
            List.of("IPv6"),
            "Local",
            "PreferClose",
            Map.of("a", "b"),
            Map.of("c", "d"));
    var merge = ServiceMerge.of(List.of(odd, export("a", 1, HTTP)));
    assertThat(merge.reason())
        .isEqualTo(
            "TypeConflict,SessionAffinityConflict,SessionAffinityConfigConflict,LabelsConflict,"
                + "AnnotationsConflict,InternalTrafficPolicyConflict,TrafficDistributionConflict,"
                + "IPFamilyConflict");
    assertThat(merge.service()).isEqualTo(export("a", 1, HTTP));
  }

  @Test
  void ofTwoThatAreEquallyOldTheSmallerIdDecides() {
    var other = new ServicePortSpec("http", "TCP", "", 8080);
    var merge = ServiceMerge.of(List.of(export("b", 1, HTTP), export("a", 1, other)));
    assertThat(merge.service().ports()).containsExactly(other);
  }

  @Test
  void theOrderInWhichExportsAreReadDoesNotMatter() {
    var exports =
        new ArrayList<>(
            List.of(
                export("a", 5, HTTP),
                export("b", 3, DNS),
                export("c", 3, new ServicePortSpec("http", "TCP", "", 8080)),
                export("d", 1, new ServicePortSpec("x", "TCP", "", 80))));
    var merge = ServiceMerge.of(exports);
    for (int seed = 0; seed < 20; seed++) {
      Collections.shuffle(exports, new Random(seed));
      assertThat(ServiceMerge.of(exports)).isEqualTo(merge);
    }
  }

  @Test
  void anExportIsReadAsItWasWritten() {
    var export = export("a", 5, HTTP, DNS);
    var spec = export.write(new ServiceName("test", "web"));
    assertThat(ExportedService.read(Map.of("spec", spec), Instant.ofEpochSecond(5)))
        .isEqualTo(export);
  }
}
