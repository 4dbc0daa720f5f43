package dev.muster.it.streams;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.it.Kubectl;
import dev.muster.it.KubectlTest;
import dev.muster.testing.ChildProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

/**
 * Commands and ports through a kubelet, with the oldest kubectl, which speaks SPDY, and the newest,
 * which speaks WebSocket.
 */
@Tag("slow")
class KubeletStreamsTest {
  private static final Pattern FORWARDING = Pattern.compile("127\\.0\\.0\\.1:(\\d+) -> 80");

  @TempDir private static Path folder;
  private static KubeletCluster cluster;
  private static TestKubelet kubelet;

  @BeforeAll
  static void start() throws Exception {
    cluster = KubeletCluster.start(folder);
    kubelet = cluster.kubelet();
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  private static Kubectl kubectl(Path program) {
    return cluster.kubectl(program);
  }

  @KubectlTest
  void aCommandSaysSomethingAndEnds(Path program) {
    assertThat(kubectl(program).succeed("exec", "p", "-c", "c", "--", "echo", "a b", "ü&="))
        .isEqualTo("a b ü&=\n");
    assertThat(kubelet.asked).anyMatch(uri -> uri.startsWith("/exec/default/p/c?command=echo"));
  }

  @KubectlTest
  void aCommandHearsAllOfItsInputAndItsEnd(Path program) {
    var input = "0123456789abcdef".repeat(40_000);
    assertThat(kubectl(program).succeedWithInput(input, "exec", "-i", "p", "-c", "c", "--", "cat"))
        .isEqualTo(input);
  }

  @KubectlTest
  void whatIsAttachedHearsAndIsHeard(Path program) {
    assertThat(kubectl(program).succeedWithInput("hello", "attach", "-i", "p", "-c", "c"))
        .contains("hello");
  }

  @KubectlTest
  void aCommandThatFailsSaysWhyAndHowItEnded(Path program) {
    var output = kubectl(program).run("exec", "p", "-c", "c", "--", "fail", "42");
    assertThat(output.code()).isEqualTo(42);
    assertThat(output.err()).contains("it went wrong").contains("exit code 42");
  }

  @KubectlTest
  void aKubeletThatRefusesIsQuoted(Path program) {
    var output = kubectl(program).run("exec", "p", "-c", "broken", "--", "echo");
    assertThat(output.code()).isNotZero();
    assertThat(output.err()).contains("the kubelet refuses this");
  }

  @KubectlTest
  void filesAreCopiedInAndOut(Path program) throws Exception {
    var inside = Files.createTempDirectory(folder, "container");
    var content = new byte[700_000];
    new Random(1).nextBytes(content);
    var sent = Files.write(inside.resolveSibling(inside.getFileName() + "-sent"), content);
    var back = inside.resolveSibling(inside.getFileName() + "-back");
    var pod = "p:" + inside.resolve("arrived");
    kubectl(program).succeed("cp", sent.toString(), pod, "-c", "c");
    assertThat(inside.resolve("arrived")).hasBinaryContent(content);
    kubectl(program).succeed("cp", pod, back.toString(), "-c", "c");
    assertThat(back).hasBinaryContent(content);
  }

  @KubectlTest
  void aPortIsForwarded(Path program) throws Exception {
    var command = kubectl(program).command("port-forward", "pod/p", ":80");
    try (var forwarding = ChildProcess.start(command)) {
      int port = port(forwarding);
      for (var text : List.of("first", "second", "x".repeat(200_000))) {
        assertThat(echoed(port, text)).isEqualTo(text);
      }
    }
  }

  private static int port(ChildProcess process) throws InterruptedException {
    for (var line = process.nextLine(); line != null; line = process.nextLine()) {
      var matcher = FORWARDING.matcher(line);
      if (matcher.find()) {
        return Integer.parseInt(matcher.group(1));
      }
    }
    throw new AssertionError("kubectl forwards nothing");
  }

  private static String echoed(int port, String text) throws IOException {
    try (var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.setSoTimeout(30_000);
      Thread.ofVirtual()
          .start(
              () -> {
                try {
                  socket.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                }
              });
      return new String(socket.getInputStream().readNBytes(text.length()), StandardCharsets.UTF_8);
    }
  }
}
