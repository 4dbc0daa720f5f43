package dev.muster.server.health;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.server.health.HealthChecks.Question;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class HealthChecksTest {
  private final HealthChecks checks = new HealthChecks();
  private final HealthRoutes routes = new HealthRoutes(checks);
  private final AtomicBoolean store = new AtomicBoolean(true);
  private final AtomicReference<String> trouble = new AtomicReference<>("");

  private HealthRoutes.Answer answer(String path) {
    return Objects.requireNonNull(routes.answer(path, false, List.of(), _ -> false), path);
  }

  @Test
  void saysOkWhileEverythingPassesAndNamesTheChecksWhoAsksForThem() {
    checks.add(HealthCheck.always("ping", () -> true));
    checks.add(HealthCheck.forReadiness("store", store::get));
    assertThat(answer("/readyz")).isEqualTo(new HealthRoutes.Answer(200, "ok", true));
    assertThat(routes.answer("/readyz", true, List.of(), _ -> false))
        .isEqualTo(
            new HealthRoutes.Answer(200, "[+]ping ok\n[+]store ok\nreadyz check passed\n", true));
  }

  @Test
  void whatFailsIsNamedWithoutItsReason() {
    checks.add(HealthCheck.always("ping", () -> true));
    checks.add(HealthCheck.forReadiness("store", store::get));
    store.set(false);
    assertThat(answer("/readyz"))
        .isEqualTo(
            new HealthRoutes.Answer(
                500, "[+]ping ok\n[-]store failed: reason withheld\nreadyz check failed\n", true));
    assertThat(answer("/readyz/store"))
        .isEqualTo(new HealthRoutes.Answer(500, "internal server error: store failed\n", false));
  }

  @Test
  void whoMayAskForTheCheckAloneHearsWhyItFails() {
    checks.add(
        HealthCheck.ofStore(
            "etcd", Set.of(Question.READYZ), store::get, () -> "revision 7 is missing"));
    store.set(false);
    assertThat(answer("/readyz").text()).contains("[-]etcd failed: reason withheld");
    assertThat(answer("/readyz/etcd").text()).contains("revision 7 is missing");
    var told = routes.answer("/readyz", true, List.of(), "/readyz/etcd"::equals);
    assertThat(Objects.requireNonNull(told).text())
        .isEqualTo("[-]etcd failed: revision 7 is missing\nreadyz check failed\n");
  }

  @Test
  void readinessIsNoPartOfLiveness() {
    checks.add(HealthCheck.always("ping", () -> true));
    checks.add(HealthCheck.forReadiness("store", () -> false));
    assertThat(answer("/livez").status()).isEqualTo(200);
    assertThat(routes.answer("/livez/store", false, List.of(), _ -> false)).isNull();
    assertThat(routes.paths())
        .containsExactly(
            "/healthz",
            "/healthz/ping",
            "/livez",
            "/livez/ping",
            "/readyz",
            "/readyz/ping",
            "/readyz/store");
  }

  @Test
  void whatIsExcludedIsNotAsked() {
    checks.add(HealthCheck.forReadiness("store", () -> false));
    assertThat(routes.answer("/readyz", true, List.of("store"), _ -> false))
        .isEqualTo(
            new HealthRoutes.Answer(200, "[+]store excluded: ok\nreadyz check passed\n", true));
    assertThat(checks.findings()).isEmpty();
  }

  @Test
  void aHookPassesOnceItHasRun() {
    var done = checks.addHook("bootstrap");
    assertThat(checks.ready()).isFalse();
    assertThat(answer("/healthz/poststarthook/bootstrap").status()).isEqualTo(500);
    done.run();
    assertThat(checks.ready()).isTrue();
    assertThat(answer("/healthz/poststarthook/bootstrap").status()).isEqualTo(200);
  }

  @Test
  void aStartDoesNotWaitForTroubleThatSomebodyMustMend() {
    checks.add(HealthCheck.ofTrouble("encryption", trouble::get));
    trouble.set("a key is missing");
    assertThat(checks.ready()).isTrue();
    assertThat(checks.degradedReason()).isEqualTo("a key is missing");
    assertThat(answer("/readyz").text()).contains("[-]encryption failed: a key is missing");
    assertThat(answer("/healthz").status()).isEqualTo(200);
  }

  @Test
  void aPluginsTroubleIsToldToThoseWhoMayAskForIt() {
    checks.add(HealthCheck.ofPlugins("kms-providers", trouble::get));
    trouble.set("plugin at /run/kms.sock: timed out");
    assertThat(answer("/healthz").text()).contains("see the log").doesNotContain("/run/kms.sock");
    assertThat(answer("/healthz/kms-providers").text()).contains("/run/kms.sock");
    assertThat(answer("/livez").status()).isEqualTo(200);
  }

  @Test
  void shutdownIsShownLastAndAnswersAreCounted() {
    checks.addLast("shutdown", store::get);
    checks.add(HealthCheck.always("ping", () -> true));
    assertThat(checks.all()).extracting(HealthCheck::name).containsExactly("ping", "shutdown");
    checks.report(Question.READYZ, Set.of(), _ -> false);
    store.set(false);
    checks.report(Question.READYZ, Set.of(), _ -> false);
    checks.report(Question.READYZ, Set.of(), _ -> false);
    assertThat(checks.findings().get(new HealthChecks.Finding("shutdown", Question.READYZ, true)))
        .hasToString("1");
    assertThat(checks.findings().get(new HealthChecks.Finding("shutdown", Question.READYZ, false)))
        .hasToString("2");
  }
}
