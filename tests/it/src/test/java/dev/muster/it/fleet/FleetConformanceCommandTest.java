package dev.muster.it.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.muster.it.MusterCommand;
import dev.muster.model.json.JsonObject;
import dev.muster.testing.ChildProcess;
import dev.muster.testing.NeedsProgram;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command itself, against dual-stack servers that are processes on a real etcd. */
@Tag("slow")
@NeedsProgram("etcd")
class FleetConformanceCommandTest {
  private static final String LEASES =
      "/apis/coordination.k8s.io/v1/namespaces/kube-apiserver-lease/leases";

  @TempDir private Path folder;

  @Test
  void aDualStackFleetPassesAlsoWithFaultsUntilALeaseIsCopied() throws Exception {
    var flags =
        List.of(
            "--service-cluster-ip-range=10.96.0.0/16,fd00:96::/112",
            "--identity-lease-renew-interval-seconds=2",
            "--endpoint-reconciler-interval=1s",
            "--endpoint-reconciler-lease-duration=3s");
    try (var servers = new ServerProcesses(folder, flags)) {
      var kubeconfigs = new ArrayList<Path>();
      var all = new ArrayList<ServerProcesses.Running>();
      for (int i = 1; i <= 2; i++) {
        var server = servers.start("--advertise-address=192.0.2." + i + ",2001:db8::" + i);
        all.add(server);
        kubeconfigs.add(servers.kubeconfig(server));
      }
      var api = all.getFirst().api();
      await()
          .atMost(Duration.ofMinutes(1))
          .until(() -> api.consistent().equals(Optional.of(true)) && slices(api) == 4);
      assertThat(conformance(kubeconfigs, 0))
          .anyMatch(line -> line.contains("Every MUST that was observed holds"))
          .noneMatch(line -> line.contains("FAIL ") || line.contains("does not implement"));
      assertThat(Files.readString(folder.resolve("findings.json"))).contains("\"conforms\":true");
      assertThat(conformance(kubeconfigs, 1, "--destructive", "--kill-command=echo no; exit 3"))
          .containsExactly("muster conformance: --kill-command ended with 3: no");
      // The ID of a server has its process in it.
      var pid = "$(expr \"$1\" : '.*-\\([0-9]*\\)-[^-]*$')";
      var faults =
          List.of(
              "--destructive",
              "--fault-timeout=60s",
              "--pause-command=kill -s STOP " + pid,
              "--resume-command=kill -s CONT " + pid,
              "--kill-command=kill -s KILL " + pid);
      assertThat(conformance(kubeconfigs, 0, faults.toArray(String[]::new)))
          .anyMatch(line -> line.contains(" PASS ") && line.contains("is published again after"))
          .anyMatch(line -> line.contains(" PASS ") && line.contains("was taken out after"))
          .anyMatch(line -> line.contains(" PASS ") && line.contains("is there after"))
          .anyMatch(line -> line.contains("NOT OBSERVED") && line.contains("to be set wrong"));
      assertThat(all).filteredOn(server -> !server.process().isAlive()).hasSize(1);
      var lives = all.getFirst().process().isAlive() ? 0 : 1;
      kubeconfigs.remove(1 - lives);
      checkTwin(all.get(lives).api(), kubeconfigs);
    }
  }

  private void checkTwin(FleetApi api, List<Path> kubeconfigs) throws Exception {
    var twin = api.leases("kube-apiserver-lease").getFirst();
    var copy = twin.with("metadata", JsonObject.of("name", "twin", "labels", labels(twin)));
    assertThat(api.send("POST", LEASES, copy).status()).isEqualTo(201);
    assertThat(conformance(kubeconfigs, 1))
        .filteredOn(line -> line.contains("FAIL "))
        .singleElement()
        .satisfies(line -> assertThat(line).contains("twin", "KEP-1965", "uniquely identify"));
    assertThat(Files.readString(folder.resolve("findings.xml"))).containsOnlyOnce("<failure");
  }

  private static JsonObject labels(JsonObject lease) {
    return lease.object("metadata").object("labels");
  }

  private static int slices(FleetApi api) {
    return api.object("/apis/discovery.k8s.io/v1/namespaces/default/endpointslices")
        .array("items")
        .size();
  }

  private List<String> conformance(List<Path> kubeconfigs, int code, String... flags)
      throws IOException, InterruptedException {
    var arguments = new ArrayList<>(List.of("conformance", "fleet", "--watch-for=6s"));
    arguments.add("--request-timeout=60s");
    arguments.addAll(List.of(flags));
    kubeconfigs.forEach(file -> arguments.add("--kubeconfig=" + file));
    arguments.add("--junit-file=" + folder.resolve("findings.xml"));
    arguments.add("--json-file=" + folder.resolve("findings.json"));
    try (var process = ChildProcess.start(MusterCommand.of(arguments.toArray(String[]::new)))) {
      int ended = process.waitFor();
      assertThat(ended).as("%s", String.join("\n", process.output())).isEqualTo(code);
      return process.output();
    }
  }
}
