package dev.muster.it.clusterset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.muster.controllers.client.Clients;
import dev.muster.controllers.client.Kubeconfig;
import dev.muster.it.MusterCommand;
import dev.muster.multicluster.membership.Claim;
import dev.muster.multicluster.membership.ClusterSets;
import dev.muster.multicluster.membership.HubApi;
import dev.muster.multicluster.membership.MemberLease;
import dev.muster.multicluster.membership.MembershipRules;
import dev.muster.multicluster.membership.MembershipRun;
import dev.muster.multicluster.membership.MembershipStep;
import dev.muster.multicluster.membership.Phase;
import dev.muster.multicluster.rules.ClusterIdRules;
import dev.muster.testing.ChildProcess;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** Measures for docs/benchmarks.md: many members of one hub, which is a process of its own. */
@EnabledIfSystemProperty(named = "muster.benchmark", matches = "true")
class HubFiguresTest {
  private static final int MEMBERS = Integer.getInteger("muster.members", 500);
  private static final int ROUNDS = 3;
  private static final int AT_A_TIME = 16;

  @TempDir private Path folder;

  @Test
  void manyMembersOfOneHub() throws Exception {
    var data = folder.resolve("hub");
    var process =
        ChildProcess.start(
            MusterCommand.ofHeap(
                "-Xmx1g",
                "up",
                "--servers=1",
                "--port=0",
                "--store=memory",
                "--data=" + data,
                "--",
                "--bind-address=127.0.0.1"));
    var kubeconfig = data.resolve("admin.kubeconfig");
    try (process) {
      await().atMost(Duration.ofMinutes(2)).until(() -> Files.exists(kubeconfig));
      var context = Kubeconfig.read(kubeconfig).currentContext();
      try (var hub = Clients.of(kubeconfig, context, Duration.ofMinutes(1))) {
        await()
            .atMost(Duration.ofMinutes(2))
            .ignoreExceptions()
            .until(() -> String.valueOf(hub.raw("/readyz")).contains("ok"));
        new ClusterSets(hub).create("prod", "");
        measure(hub, process.pid());
      }
    }
  }

  private static void measure(KubernetesClient hub, long pid) throws Exception {
    System.out.printf(
        "load average before: %.1f%n",
        ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage());
    var before = Load.of(hub, pid);
    var members = new ArrayList<SimulatedMember>();
    for (int i = 0; i < MEMBERS; i++) {
      members.add(new SimulatedMember(hub, "member-" + i));
    }
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      inParallel(threads, members.stream().map(member -> (Runnable) member::join).toList());
      assertThat(new ClusterSets(hub).members("prod", Instant.now()))
          .hasSize(MEMBERS)
          .allMatch(member -> member.phase() == Phase.JOINED);
      print(MEMBERS + " join, 16 at a time", before, Load.of(hub, pid));
      inParallel(threads, members.stream().map(member -> (Runnable) member::lease).toList());
      before = Load.of(hub, pid);
      for (int round = 0; round < ROUNDS; round++) {
        long began = System.nanoTime();
        inParallel(threads, members.stream().map(member -> (Runnable) member::check).toList());
        long rest = MemberLease.RENEWAL.toNanos() - (System.nanoTime() - began);
        TimeUnit.NANOSECONDS.sleep(Math.max(0, rest));
      }
      print(MEMBERS + " members at rest", before, Load.of(hub, pid));
    }
  }

  private static void inParallel(ExecutorService threads, List<Runnable> work) throws Exception {
    var running = new ArrayList<Future<?>>();
    // The client has fewer connections than there are members.
    var places = new Semaphore(AT_A_TIME);
    for (var each : work) {
      running.add(
          threads.submit(
              () -> {
                places.acquireUninterruptibly();
                try {
                  each.run();
                } finally {
                  places.release();
                }
              }));
    }
    for (var each : running) {
      each.get();
    }
  }

  private static void print(String what, Load before, Load after) {
    double seconds = Duration.between(before.at(), after.at()).toMillis() / 1000.0;
    double requests = after.requests() - before.requests();
    double cpu = after.cpu().minus(before.cpu()).toMillis() / 1000.0;
    System.out.printf(
        "%-28s %6.1f s, %6.0f requests (%5.0f/s), hub's CPU %5.2f s (%4.0f %% of a core, %4.0f us a"
            + " request)%n",
        what,
        seconds,
        requests,
        requests / seconds,
        cpu,
        100 * cpu / seconds,
        1e6 * cpu / requests);
  }

  /** What the hub has done so far. */
  private record Load(Instant at, Duration cpu, double requests) {
    static Load of(KubernetesClient hub, long pid) {
      double requests = 0;
      for (var line : hub.raw("/metrics").lines().toList()) {
        if (line.startsWith("apiserver_request_total{")) {
          requests += Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1));
        }
      }
      var cpu = ProcessHandle.of(pid).flatMap(each -> each.info().totalCpuDuration());
      return new Load(Instant.now(), cpu.orElseThrow(), requests);
    }
  }

  /** A member that is nothing but its membership. */
  private record SimulatedMember(KubernetesClient hub, String id) {
    private MembershipRun run(MemberInMemory member) {
      return new MembershipRun(
          new MembershipRules(new ClusterIdRules(false)),
          member,
          secret -> new HubApi(hub, "uid-" + id));
    }

    private Claim claim() {
      return new Claim("prod", id, "hub");
    }

    void join() {
      assertThat(run(new MemberInMemory("prod", id)).run()).isInstanceOf(MembershipStep.Done.class);
    }

    /** What an operator leaves beside the claim. */
    void lease() {
      hub.resource(
              new LeaseBuilder()
                  .withNewMetadata()
                  .withNamespace("clusterset-prod")
                  .withName(id)
                  .endMetadata()
                  .withNewSpec()
                  .endSpec()
                  .build())
          .create();
    }

    /** What its controller does every ten seconds. */
    void check() {
      var member = new MemberInMemory("prod", id);
      member.record(claim());
      member.mirror(claim());
      assertThat(run(member).run()).isInstanceOf(MembershipStep.Done.class);
      MemberLease.renew(hub, claim(), Instant.now());
    }
  }
}
