package dev.muster.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.muster.testing.ChildProcess;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** A process that may open few files keeps some for itself, whoever connects to it. */
@Tag("slow")
@EnabledOnOs(OS.LINUX)
class FewFilesTest {
  private static final int LIMIT = 600;
  private static final String MAPS = "/api/v1/namespaces/default/configmaps";

  @TempDir private Path folder;

  @Test
  void connectionsAreBoundedByTheLimitAndNothingStaysBroken() throws Exception {
    Files.writeString(
        folder.resolve("tokens.csv"), EtcdFleet.TOKEN + ",admin,1,\"system:masters\"\n");
    try (var muster = ChildProcess.start(limited())) {
      var url = url(Processes.awaitUp(muster));
      var port = URI.create(url).getPort();
      var authority = folder.resolve("data/pki/ca.crt");
      silentOnes(muster, port, url, authority);
      speakingOnes(muster, url, authority);
      try (var api = new HttpApi(url, authority)) {
        assertThat(create(api, "after")).isEqualTo(201);
        assertThat(api.get("/readyz").code()).isEqualTo(200);
      }
      assertThat(muster.output()).noneMatch(line -> line.contains("Too many open files"));
      muster.terminate();
      assertThat(muster.waitFor()).isZero();
    }
  }

  /** More connections that never say a word than there may be files. */
  private void silentOnes(ChildProcess muster, int port, String url, Path authority)
      throws Exception {
    var silent = new ArrayList<Socket>();
    try {
      for (int i = 0; i < LIMIT + 200; i++) {
        silent.add(new Socket(InetAddress.getLoopbackAddress(), port));
      }
      awaitAnswer(url, authority);
      try (var api = new HttpApi(url, authority)) {
        assertThat(create(api, "silence")).isEqualTo(201);
      }
      assertThat(files(muster)).isLessThan(LIMIT);
    } finally {
      for (var socket : silent) {
        socket.close();
      }
    }
  }

  /** More connections of people who have been let in than there may be files. */
  private void speakingOnes(ChildProcess muster, String url, Path authority) throws Exception {
    var speaking = new ArrayList<HttpApi>();
    int refused = 0;
    try {
      for (int i = 0; i < LIMIT; i++) {
        var api = new HttpApi(url, authority);
        speaking.add(api);
        try {
          assertThat(api.get("/version").code()).isEqualTo(200);
        } catch (IOException e) {
          refused++;
        }
        // Whoever was there first goes on, and the store can still open what it needs.
        if (i % 10 == 0) {
          assertThat(create(speaking.getFirst(), "early-" + i)).isEqualTo(201);
        }
      }
      assertThat(refused).isPositive();
      assertThat(files(muster)).isLessThan(LIMIT);
    } finally {
      speaking.forEach(HttpApi::close);
    }
    awaitAnswer(url, authority);
  }

  /** A newcomer is answered, however many are before him in the queue of the listener. */
  private static void awaitAnswer(String url, Path authority) {
    await()
        .atMost(Duration.ofSeconds(60))
        .ignoreExceptions()
        .until(
            () -> {
              try (var api = new HttpApi(url, authority)) {
                return api.get("/version").code() == 200;
              }
            });
  }

  private static int create(HttpApi api, String name) throws Exception {
    return api.send("POST", MAPS, "{\"metadata\":{\"name\":\"" + name + "\"}}").code();
  }

  private static long files(ChildProcess process) throws IOException {
    try (var open = Files.list(Path.of("/proc", Long.toString(process.pid()), "fd"))) {
      return open.count();
    }
  }

  private static String url(List<String> output) {
    return output.stream()
        .map(String::strip)
        .filter(line -> line.startsWith("https://127.0.0.1:"))
        .findFirst()
        .orElseThrow();
  }

  private List<String> limited() {
    var muster =
        MusterCommand.of(
            "up",
            "--port=0",
            "--servers=1",
            "--data",
            folder.resolve("data").toString(),
            "--",
            "--bind-address=127.0.0.1",
            "--token-auth-file=" + folder.resolve("tokens.csv"));
    var command =
        new ArrayList<>(List.of("sh", "-c", "ulimit -n " + LIMIT + " && exec \"$@\"", "sh"));
    command.addAll(muster);
    return command;
  }
}
