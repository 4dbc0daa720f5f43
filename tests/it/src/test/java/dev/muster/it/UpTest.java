package dev.muster.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.muster.testing.ChildProcess;
import dev.muster.testing.FreePorts;
import dev.muster.testing.NeedsProgram;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code muster up} as a user meets it: a process, its output, signals and kubectl. */
@Tag("slow")
class UpTest {
  @TempDir private Path folder;

  @Test
  @NeedsProgram("kubectl")
  void runsThreeServersThatShareOneClusterAndFindsItAgain() throws Exception {
    try (var muster = Processes.muster("up", "--port=0", "--data", data())) {
      var output = Processes.awaitUp(muster);
      assertThat(output).filteredOn(line -> line.startsWith("  https://127.0.0.1:")).hasSize(3);
      assertThat(output).contains("  export KUBECONFIG=" + folder.resolve("data/admin.kubeconfig"));
      var kubectl = kubectl();
      assertThat(kubectl.succeed("get", "namespaces", "-o", "name").lines())
          .contains("namespace/default", "namespace/kube-system", "namespace/kube-public");
      kubectl.succeed("create", "configmap", "hello", "--from-literal=who=world");
      for (var context : List.of("muster", "muster-2", "muster-3")) {
        assertThat(
                kubectl.succeed(
                    "--context",
                    context,
                    "get",
                    "configmap",
                    "hello",
                    "-o",
                    "jsonpath={.data.who}"))
            .isEqualTo("world");
      }
      theControllerManagerTakesItsLease();
      interrupt(muster);
    }
    try (var muster = Processes.muster("up", "--port=0", "--data", data())) {
      Processes.awaitUp(muster);
      assertThat(kubectl().succeed("get", "configmap", "hello", "-o", "jsonpath={.data.who}"))
          .isEqualTo("world");
      muster.terminate();
      assertThat(muster.waitFor()).isZero();
    }
  }

  @Test
  @NeedsProgram("kubectl")
  void itsFolderIsItsOwnAndClosedToOthersHoweverItsOwnerEnded() throws Exception {
    var kubeconfig = folder.resolve("data/admin.kubeconfig");
    try (var muster = Processes.muster("up", "--port=0", "--servers=1", "--data", data())) {
      var output = Processes.awaitUp(muster);
      assertThat(output).noneMatch(line -> line.contains("open to other users"));
      assertThat(mode(folder.resolve("data"))).isEqualTo("rwx------");
      for (var secret :
          List.of("admin.kubeconfig", "lock", "pki/ca.key", "pki/sa.key", "store/FORMAT")) {
        assertThat(mode(folder.resolve("data").resolve(secret))).as(secret).isEqualTo("rw-------");
      }
      refuses(
          "muster up: the data folder %s is in use by another muster (process %d); stop it, or choose another folder with --data"
              .formatted(data(), muster.pid()),
          "up",
          "--port=0",
          "--servers=1",
          "--data",
          data());
      kubectlElsewhere().succeed("create", "configmap", "kept");
      muster.kill();
    }
    for (var path : List.of(folder.resolve("data"), folder.resolve("data/store"), kubeconfig)) {
      Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwxr-xr-x"));
    }
    try (var muster = Processes.up(folder.resolve("data"))) {
      var output = Processes.awaitUp(muster);
      assertThat(output).anyMatch(line -> line.contains("was open to other users of this machine"));
      assertThat(mode(folder.resolve("data"))).isEqualTo("rwx------");
      assertThat(mode(folder.resolve("data/store"))).isEqualTo("rwx------");
      assertThat(mode(kubeconfig)).isEqualTo("rw-------");
      assertThat(kubectlElsewhere().succeed("get", "configmap", "kept", "-o", "name"))
          .isEqualTo("configmap/kept\n");
      interrupt(muster);
    }
  }

  /** One that leaves no cache in the folder. */
  private Kubectl kubectlElsewhere() throws IOException {
    var copy = folder.resolve("copy.kubeconfig");
    Files.writeString(copy, Files.readString(folder.resolve("data/admin.kubeconfig")));
    return Kubectl.of(copy);
  }

  @Test
  void whatSomebodyElseKeepsInTheFolderStaysAsItIs() throws Exception {
    var data = Files.createDirectory(folder.resolve("data"));
    var other = Files.writeString(data.resolve("notes.txt"), "mine");
    for (var path : List.of(data, other)) {
      Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwxr-xr-x"));
    }
    try (var muster = Processes.muster("up", "--port=0", "--servers=1", "--data", data())) {
      Processes.awaitUp(muster);
      assertThat(mode(data)).isEqualTo("rwxr-xr-x");
      assertThat(mode(other)).isEqualTo("rwxr-xr-x");
      assertThat(mode(data.resolve("pki"))).isEqualTo("rwx------");
      assertThat(mode(data.resolve("store"))).isEqualTo("rwx------");
      assertThat(mode(data.resolve("admin.kubeconfig"))).isEqualTo("rw-------");
      interrupt(muster);
    }
  }

  private static String mode(Path path) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
  }

  @Test
  @NeedsProgram("kubectl")
  void saysLoudlyThatEverybodyMayDoEverything() throws Exception {
    try (var muster =
        Processes.up(
            folder.resolve("data"), "--store=memory", "--", "--authorization-mode=AlwaysAllow")) {
      var output = Processes.awaitUp(muster);
      assertThat(output)
          .anyMatch(line -> line.contains("OPEN: with --authorization-mode=AlwaysAllow"))
          .anyMatch(line -> line.contains("--anonymous-auth is switched off"));
      assertThat(kubectl().succeed("get", "namespace", "default", "-o", "name"))
          .isEqualTo("namespace/default\n");
      interrupt(muster);
    }
  }

  @Test
  void aPortInUseIsNamed() throws Exception {
    try (var taken = new ServerSocket(0, 1, InetAddress.ofLiteral("127.0.0.1"));
        var muster =
            Processes.muster(
                "up", "--port=" + taken.getLocalPort(), "--servers=1", "--data", data())) {
      assertThat(muster.waitFor()).isEqualTo(1);
      assertThat(muster.output())
          .containsExactly(
              "muster up: cannot listen on 127.0.0.1:"
                  + taken.getLocalPort()
                  + ": address already in use");
    }
  }

  @Test
  @NeedsProgram("kubectl")
  void flagsAfterTwoDashesGoToEveryServer() throws Exception {
    var token = folder.resolve("tokens.csv");
    Files.writeString(token, "secret,someone,1,\"system:masters\"\n");
    try (var muster =
        Processes.up(
            folder.resolve("data"),
            "--servers=2",
            "--store=memory",
            "--",
            "--token-auth-file=" + token,
            "--anonymous-auth=false")) {
      Processes.awaitUp(muster);
      for (var context : List.of("muster", "muster-2")) {
        var whoami = Kubectl.of(tokenKubeconfig(context)).run("get", "namespaces", "-o", "name");
        assertThat(whoami.code()).as(whoami.err()).isZero();
      }
      interrupt(muster);
    }
  }

  @Test
  void badFlagsAreNamedInOneLine() throws Exception {
    refuses("muster up: unknown flag: --nope", "up", "--nope");
    refuses("muster up: --servers: must be between 1 and 99", "up", "--servers=0");
    refuses(
        "muster up: --store: \"disk\" is not one of embedded, memory, etcd=URL,…",
        "up",
        "--store=disk");
    refuses(
        "muster up: unknown flag: --nope (after -- stand flags of the API servers: muster help"
            + " apiserver, and of the controller manager: muster help controller-manager)",
        "up",
        "--data",
        data(),
        "--",
        "--nope=1");
    refuses(
        "muster up: unknown flag: --event-ttl, it is a flag of the API servers: put it after --, as"
            + " in muster up -- --event-ttl",
        "up",
        "--event-ttl=5m");
    refuses(
        "muster up: --secure-port: set by --port of muster up",
        "up",
        "--data",
        data(),
        "--",
        "--secure-port=1");
    refuses(
        "muster up: --token-auth-file: /nowhere does not exist",
        "up",
        "--data",
        data(),
        "--",
        "--token-auth-file=/nowhere");
    refuses("muster apiserver: --etcd-servers: must be given", "apiserver");
    refuses("muster: unknown command \"frob\" (muster --help lists them)", "frob");
  }

  @Test
  void anEtcdThatIsNotThereIsReported() throws Exception {
    int nobody = FreePorts.find(1).getFirst();
    try (var muster =
        Processes.up(
            folder.resolve("data"),
            "--store=etcd=http://127.0.0.1:" + nobody,
            "--",
            "--storage-initialization-timeout=3s")) {
      assertThat(muster.waitFor()).isEqualTo(1);
      assertThat(muster.output().getLast())
          .startsWith("muster up: not ready after 3 s: the store does not answer");
    }
  }

  private void theControllerManagerTakesItsLease() {
    await()
        .pollInterval(Kubectl.BETWEEN_LOOKS)
        .untilAsserted(
            () ->
                assertThat(
                        kubectl()
                            .run(
                                "-n",
                                "kube-system",
                                "get",
                                "lease",
                                "muster-controller-manager",
                                "-o",
                                "jsonpath={.spec.holderIdentity}")
                            .out())
                    .isNotEmpty());
  }

  private void refuses(String message, String... arguments) throws InterruptedException {
    try (var muster = Processes.muster(arguments)) {
      assertThat(muster.waitFor()).isEqualTo(1);
      assertThat(muster.output()).containsExactly(message);
    }
  }

  private static void interrupt(ChildProcess muster) throws InterruptedException {
    muster.terminate();
    assertThat(muster.waitFor()).isZero();
    assertThat(muster.output()).contains("muster: stopping").endsWith("muster: stopped");
  }

  private Kubectl kubectl() {
    return Kubectl.of(folder.resolve("data/admin.kubeconfig"));
  }

  /** The administrator's file with a token in place of the certificate. */
  private Path tokenKubeconfig(String context) throws IOException {
    var text =
        Files.readString(folder.resolve("data/admin.kubeconfig"))
            .replaceAll("client-certificate-data: .*", "token: secret")
            .replaceAll("    client-key-data: .*\n", "")
            .replace("current-context: muster", "current-context: " + context);
    return Files.writeString(folder.resolve(context + ".kubeconfig"), text);
  }

  private String data() {
    return folder.resolve("data").toString();
  }
}
