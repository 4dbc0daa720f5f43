package dev.muster.server.answers;

import static dev.muster.server.answers.ProxiedPod.PROXY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.net.http.HttpClient.Version;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Clients that leave while their requests are passed on to a pod. */
class LeavingClientsTest {
  @TempDir private static Path folder;
  private static ProxiedPod pod;
  private static RunningServer server;

  @BeforeAll
  static void start() throws Exception {
    pod = new ProxiedPod(folder);
    server = pod.server();
  }

  @AfterAll
  static void stop() {
    pod.close();
  }

  @ParameterizedTest
  @EnumSource(Version.class)
  void aClientThatLeavesBeforeTheAnswerTakesItsBackendAlong(Version version) throws Exception {
    try (var web = pod.running((request, connection) -> connection.hold())) {
      var waiting = server.open(version, "GET", PROXY + "/slow");
      await().until(() -> web.seen().size() == 1);
      assertThat(web.open()).isEqualTo(1);
      waiting.cancel(true);
      await().atMost(Duration.ofSeconds(20)).until(() -> web.open() == 0);
    }
  }

  @ParameterizedTest
  @EnumSource(Version.class)
  void aClientThatLeavesInTheMiddleTakesItsBackendAlong(Version version) throws Exception {
    try (var web =
        pod.running(
            (request, connection) -> connection.send("HTTP/1.1 200 OK\r\n\r\nbegun").hold())) {
      var answer = server.open(version, "GET", PROXY + "/stream").get(30, TimeUnit.SECONDS);
      try (var body = answer.body()) {
        assertThat(new String(body.readNBytes(5), StandardCharsets.UTF_8)).isEqualTo("begun");
        assertThat(web.open()).isEqualTo(1);
      }
      await().atMost(Duration.ofSeconds(20)).until(() -> web.open() == 0);
    }
  }

  @Test
  void aClientThatSendsAheadAndLeavesTakesItsBackendAlong() throws Exception {
    try (var web = pod.running((request, connection) -> connection.hold())) {
      var request =
          "GET " + PROXY + "/slow HTTP/1.1\r\nhost: x\r\n" + RunningServer.authorization();
      try (var socket = server.socket()) {
        socket
            .getOutputStream()
            .write((request + "\r\n\r\n").repeat(3).getBytes(StandardCharsets.US_ASCII));
        await().until(() -> web.open() == 1);
      }
      await().atMost(Duration.ofSeconds(20)).until(() -> web.open() == 0);
    }
  }

  @Test
  void manyClientsThatLeaveLeaveNothingBehind() throws Exception {
    try (var web = pod.running((request, connection) -> connection.hold())) {
      var waiting = new ArrayList<Future<?>>();
      for (int i = 0; i < 100; i++) {
        waiting.add(server.open(Version.HTTP_2, "GET", PROXY + "/slow"));
      }
      await().atMost(Duration.ofSeconds(60)).until(() -> web.open() == 100);
      waiting.forEach(one -> one.cancel(true));
      await().atMost(Duration.ofSeconds(60)).until(() -> web.open() == 0);
    }
  }
}
