package dev.muster.store;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class OutageLogTest {
  private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
  private final Logger logger = (Logger) LoggerFactory.getLogger("outage-test");
  private long now = Long.MAX_VALUE - TimeUnit.SECONDS.toNanos(30);
  private final OutageLog log = new OutageLog(logger, () -> now);

  OutageLogTest() {
    logger.setAdditive(false);
    lines.start();
    logger.addAppender(lines);
  }

  @AfterEach
  void detach() {
    logger.detachAppender(lines);
  }

  @Test
  void saysItAtOnceAndThenAtGrowingIntervals() {
    for (int tenth = 0; tenth <= 700; tenth++) {
      log.failed("etcd does not answer");
      now += TimeUnit.MILLISECONDS.toNanos(100);
    }

    assertThat(lines())
        .containsExactly(
            "WARN etcd does not answer",
            "WARN etcd does not answer (for 10 s, 101 attempts)",
            "WARN etcd does not answer (for 30 s, 301 attempts)",
            "WARN etcd does not answer (for 70 s, 701 attempts)");
  }

  @Test
  void saysOnceThatItIsOver() {
    log.ended("etcd answers again");
    log.failed("etcd does not answer");
    now += TimeUnit.SECONDS.toNanos(150);
    log.ended("etcd answers again");
    log.ended("etcd answers again");

    assertThat(lines())
        .containsExactly("WARN etcd does not answer", "INFO etcd answers again (after 2 min)");
  }

  @Test
  void doesNotRepeatItselfWhenItFailsAndWorksByTurns() {
    for (int round = 0; round < 100; round++) {
      log.failed("etcd does not answer");
      now += TimeUnit.MILLISECONDS.toNanos(50);
      log.ended("etcd answers again");
      now += TimeUnit.MILLISECONDS.toNanos(50);
    }

    assertThat(lines())
        .containsExactly("WARN etcd does not answer", "INFO etcd answers again (after 50 ms)");
  }

  @Test
  void beginsAnewAfterAQuietTime() {
    log.failed("etcd does not answer");
    log.ended("etcd answers again");
    now += TimeUnit.SECONDS.toNanos(11);
    log.failed("etcd does not answer");

    assertThat(lines()).filteredOn("WARN etcd does not answer"::equals).hasSize(2);
  }

  private List<String> lines() {
    return lines.list.stream().map(e -> e.getLevel() + " " + e.getFormattedMessage()).toList();
  }
}
