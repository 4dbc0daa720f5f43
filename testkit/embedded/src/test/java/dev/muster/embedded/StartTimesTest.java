package dev.muster.embedded;

import com.sun.management.OperatingSystemMXBean;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** Measures for docs/benchmarks.md; asserts nothing. */
@EnabledIfSystemProperty(named = "muster.benchmark", matches = "true")
class StartTimesTest {
  private static final OperatingSystemMXBean SYSTEM =
      ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
  private static final int TIMES = 21;
  private static final int OBJECTS = 20;

  /** Wall clock and CPU time of the process, in milliseconds. */
  private record Cost(double millis, double cpu) {}

  private static Cost cost(Runnable work) {
    long began = System.nanoTime();
    long used = SYSTEM.getProcessCpuTime();
    work.run();
    return new Cost((System.nanoTime() - began) / 1e6, (SYSTEM.getProcessCpuTime() - used) / 1e6);
  }

  private static void print(String what, List<Cost> costs) {
    var wall = new ArrayList<>(costs.stream().map(Cost::millis).toList());
    var cpu = new ArrayList<>(costs.stream().map(Cost::cpu).toList());
    Collections.sort(wall);
    Collections.sort(cpu);
    System.out.printf(
        "%-40s %8.1f ms, at least %8.1f ms, CPU %8.1f ms%n",
        what, wall.get(wall.size() / 2), wall.getFirst(), cpu.get(cpu.size() / 2));
  }

  @Test
  void startsAndResets() {
    System.out.printf("load average before: %.1f%n", SYSTEM.getSystemLoadAverage());
    var clusters = new ArrayList<TestCluster>();
    print("first start", List.of(cost(() -> clusters.add(Muster.start()))));
    var resets = new ArrayList<Cost>();
    for (int i = 0; i < TIMES; i++) {
      fill(clusters.getFirst());
      resets.add(cost(() -> clusters.getFirst().reset()));
    }
    print("reset after " + OBJECTS + " objects", resets);
    System.gc();
    var heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    System.out.printf("heap after a collection: %d MiB%n", heap >> 20);
    clusters.getFirst().close();
    var starts = new ArrayList<Cost>();
    for (int i = 0; i < TIMES; i++) {
      starts.add(cost(() -> clusters.add(Muster.start())));
      clusters.getLast().close();
    }
    print("next start", starts);
    starts.clear();
    for (int i = 0; i < TIMES; i++) {
      var alone = MusterOptions.defaults().withControllers();
      starts.add(cost(() -> clusters.add(Muster.start(alone))));
      clusters.getLast().close();
    }
    print("next start, no controllers", starts);
    System.out.printf("load average after: %.1f%n", SYSTEM.getSystemLoadAverage());
  }

  private static void fill(TestCluster cluster) {
    for (int i = 0; i < OBJECTS; i++) {
      var map = new ConfigMapBuilder().withNewMetadata().withName("m-" + i).endMetadata().build();
      cluster.client().configMaps().resource(map).create();
    }
  }
}
