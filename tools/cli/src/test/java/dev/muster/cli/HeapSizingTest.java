package dev.muster.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class HeapSizingTest {
  private static final Duration SECOND = Duration.ofSeconds(1);

  private final HotSpotDiagnosticMXBean jvm =
      ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
  private final AtomicLong allocated = new AtomicLong();
  private final String leastBefore = option("MinHeapFreeRatio");
  private final String mostBefore = option("MaxHeapFreeRatio");

  @BeforeEach
  void startWithLittleRoom() {
    setRatios("10", "30");
  }

  @AfterEach
  void putBack() {
    setRatios(leastBefore, mostBefore);
  }

  @Test
  void theHeapHasRoomUnderLoadAndGivesItBackAtRest() {
    try (var sizing = new HeapSizing(allocated::get)) {
      allocated.addAndGet(HeapSizing.BUSY_BYTES_PER_SECOND + 1);
      sizing.check(SECOND);
      assertThat(option("MinHeapFreeRatio")).isEqualTo("40");
      assertThat(option("MaxHeapFreeRatio")).isEqualTo("70");

      allocated.addAndGet(HeapSizing.BUSY_BYTES_PER_SECOND / 2);
      sizing.check(SECOND);
      assertThat(option("MinHeapFreeRatio")).isEqualTo("10");
      assertThat(option("MaxHeapFreeRatio")).isEqualTo("30");
    }
  }

  @Test
  void moreRoomThanUnderLoadThatSomebodyAskedForStays() {
    setRatios("50", "90");
    try (var sizing = new HeapSizing(allocated::get)) {
      allocated.addAndGet(HeapSizing.BUSY_BYTES_PER_SECOND + 1);
      sizing.check(SECOND);
      assertThat(option("MinHeapFreeRatio")).isEqualTo("50");
      assertThat(option("MaxHeapFreeRatio")).isEqualTo("90");
    }
  }

  private String option(String name) {
    return jvm.getVMOption(name).getValue();
  }

  private void setRatios(String least, String most) {
    jvm.setVMOption("MinHeapFreeRatio", "0");
    jvm.setVMOption("MaxHeapFreeRatio", most);
    jvm.setVMOption("MinHeapFreeRatio", least);
  }
}
