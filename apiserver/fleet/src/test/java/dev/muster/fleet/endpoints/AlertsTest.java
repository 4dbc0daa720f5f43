package dev.muster.fleet.endpoints;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.muster.fleet.endpoints.RealServers.Running;
import dev.muster.store.MemoryStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The alerting rules that are shipped, held against the metrics of servers that run. */
@Tag("slow")
class AlertsTest {
  private static final Path RULES = Path.of("..", "..", "docs", "manifests", "muster-alerts.yaml");
  private static final Pattern RULE =
      Pattern.compile(
          "- alert: (\\w+)\\s+expr: (max|min)\\((\\w+)\\) ([<>]) (\\d+)\\s+for: \\d+m\\s");

  private final MemoryStore store = new MemoryStore();
  private final RealServers servers;

  AlertsTest(@TempDir Path folder) {
    servers = new RealServers(store, folder);
  }

  @AfterEach
  void close() {
    servers.close();
    store.close();
  }

  private record Rule(String alert, String metric, boolean above, double limit) {
    boolean fires(Running server) {
      double value = server.metric(metric);
      return above ? value > limit : value < limit;
    }
  }

  private static List<Rule> rules() throws IOException {
    var text = Files.readString(RULES);
    var rules = new ArrayList<Rule>();
    var found = RULE.matcher(text);
    while (found.find()) {
      rules.add(
          new Rule(
              Objects.requireNonNull(found.group(1)),
              Objects.requireNonNull(found.group(3)),
              Objects.equals(found.group(4), ">"),
              Double.parseDouble(Objects.requireNonNull(found.group(5)))));
    }
    assertThat(rules).hasSize(text.split("- alert:").length - 1).isNotEmpty();
    return rules;
  }

  @Test
  void everyRuleHasItsMetricAndNoneFiresInAHealthyFleet() throws Exception {
    var member = servers.startMember("192.0.2.1", "10.7.0.0/24", RealServers.quickFleet());
    await()
        .atMost(Duration.ofSeconds(60))
        .until(() -> member.metric("muster_endpoints_addresses") == 1);
    for (var rule : rules()) {
      assertThat(member.hasMetric(rule.metric())).as(rule.metric()).isTrue();
      await().atMost(Duration.ofSeconds(60)).until(() -> !rule.fires(member));
    }
  }

  @Test
  void anEndpointWithoutALeaseFiresItsRule() throws Exception {
    var member = servers.startMember("192.0.2.1", "10.7.0.0/24", RealServers.quickFleet());
    var unseen = servers.start("192.0.2.2", "10.7.0.0/24", RealServers.QUICK, true);
    var rule =
        rules().stream()
            .filter(one -> one.alert().equals("MusterEndpointWithoutLease"))
            .findFirst()
            .orElseThrow();
    await().atMost(Duration.ofSeconds(60)).until(() -> rule.fires(member));
    unseen.close();
    await().atMost(Duration.ofSeconds(60)).until(() -> !rule.fires(member));
  }
}
