package dev.muster.it.backends;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.muster.it.races.RaceHttp;
import dev.muster.it.races.RaceHttp.Answer;
import dev.muster.it.races.RacingServers;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Many times more requests of one user than their priority level has seats wait for somebody who
 * never comes to an end: those of another user of the same level are answered meanwhile.
 */
@Tag("slow")
class StubbornBackendsTest {
  private static final String MAPS = "/api/v1/namespaces/stuck/configmaps";
  private static final int STUCK = Integer.getInteger("muster.stuck", 200);

  /** On one connection, and less than queues of a level take. */
  private static final int STUCK_TOGETHER = 100;

  private static final int OTHERS = 10;

  @TempDir private Path folder;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final List<RaceHttp> clients = new ArrayList<>();
  private StubbornBackend backend;
  private RacingServers servers;
  private RaceHttp http;

  @BeforeEach
  void start() throws IOException, GeneralSecurityException {
    backend = new StubbornBackend();
    servers = RacingServers.start(folder, RacingServers.inMemory(1), 1, 0, Set.of());
    http = client();
    make("/api/v1/namespaces", "{\"metadata\":{\"name\":\"stuck\"}}");
    make(
        "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings",
        """
        {"metadata":{"name":"all"},
         "roleRef":{"apiGroup":"rbac.authorization.k8s.io","kind":"ClusterRole",
          "name":"cluster-admin"},
         "subjects":[{"apiGroup":"rbac.authorization.k8s.io","kind":"User","name":"robot"},
          {"apiGroup":"rbac.authorization.k8s.io","kind":"User","name":"other"}]}
        """);
  }

  @AfterEach
  void stop() {
    backend.close();
    clients.forEach(RaceHttp::close);
    threads.close();
    servers.close();
  }

  private RaceHttp client() {
    var client = new RaceHttp(RacingServers.TOKEN);
    clients.add(client);
    return client;
  }

  private String url(String path) {
    return servers.urls().getFirst() + path;
  }

  private Answer make(String collection, String json) {
    var answer = http.post(url(collection), json);
    assertThat(answer.code()).as(answer.message()).isEqualTo(201);
    return answer;
  }

  private static String map(String name, String label) {
    return "{\"metadata\":{\"name\":\"%s\",\"labels\":{\"to\":\"%s\"}}}".formatted(name, label);
  }

  private static int code(Supplier<Answer> request) {
    try {
      return request.get().code();
    } catch (RuntimeException e) {
      return 0;
    }
  }

  /** Requests of the robot, which have all given back their seats and wait. */
  private List<Future<Integer>> stuck(String method, String path, String label) {
    var stuck = new ArrayList<Future<Integer>>();
    double before = flow("dispatched_requests_total");
    while (stuck.size() < STUCK) {
      var connection = client();
      for (int i = 0; i < STUCK_TOGETHER; i++) {
        var body = method.equals("POST") ? map(label + stuck.size(), label) : "";
        stuck.add(threads.submit(() -> code(() -> asRobot(connection, method, path, body))));
      }
      await()
          .atMost(Duration.ofSeconds(28))
          .until(
              () ->
                  flow("dispatched_requests_total") >= before + stuck.size()
                      && flow("current_executing_requests") == 0);
    }
    assertThat(waiting(stuck)).isPositive();
    return stuck;
  }

  private Answer asRobot(RaceHttp connection, String method, String path, String body) {
    return connection.send(
        RacingServers.ROBOT, method, url(path), body.isEmpty() ? "" : "application/json", body);
  }

  /** What a metric says about the level that the robot and the other one share. */
  private double flow(String metric) {
    return http.text(url("/metrics"))
        .lines()
        .filter(line -> line.startsWith("apiserver_flowcontrol_" + metric + "{"))
        .filter(line -> line.contains("priority_level=\"global-default\""))
        .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
        .sum();
  }

  private static long waiting(List<Future<Integer>> stuck) {
    return stuck.stream().filter(one -> !one.isDone()).count();
  }

  private Answer asOther(String method, String path, String body) {
    return http.send(
        RacingServers.OTHER, method, url(path), body.isEmpty() ? "" : "application/json", body);
  }

  /** All of them, each sent when the one before was answered. */
  private void othersAreAnswered() {
    for (int i = 0; i < OTHERS; i++) {
      var name = "other" + i;
      assertThat(asOther("POST", MAPS, map(name, "nobody")).code()).isEqualTo(201);
      assertThat(asOther("GET", MAPS + "/" + name, "").code()).isEqualTo(200);
    }
    assertThat(asOther("GET", MAPS + "?limit=10", "").code()).isEqualTo(200);
  }

  /** None of them has come to an end before all others were answered. */
  private void othersAreAnsweredBeside(List<Future<Integer>> stuck) {
    long before = waiting(stuck);
    othersAreAnswered();
    assertThat(waiting(stuck)).isPositive();
    assertThat(before).isPositive();
    assertThat(backend.asked()).isPositive();
  }

  private void configureWebhook(String behaviour) {
    make(
        "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations",
        """
        {"metadata":{"name":"%s"},"webhooks":[{"name":"%s.example.com","timeoutSeconds":30,
         "clientConfig":{"url":"https://127.0.0.1:%d/%s","caBundle":"%s"},"sideEffects":"None",
         "admissionReviewVersions":["v1"],"objectSelector":{"matchLabels":{"to":"%s"}},
         "rules":[{"operations":["CREATE"],"apiGroups":[""],"apiVersions":["v1"],
          "resources":["configmaps"]}]}]}
        """
            .formatted(
                behaviour, behaviour, backend.port(), behaviour, backend.authority(), behaviour));
  }

  private void othersAreAnsweredWhileAWebhook(String behaviour) {
    configureWebhook(behaviour);
    othersAreAnsweredBeside(stuck("POST", MAPS, behaviour));
  }

  @Test
  void othersAreAnsweredWhileAWebhookHangs() {
    othersAreAnsweredWhileAWebhook("hang");
  }

  @Test
  void othersAreAnsweredWhileAWebhookSendsAByteASecond() {
    othersAreAnsweredWhileAWebhook("drip");
  }

  @Test
  void aWebhookThatSaysTooMuchIsCutOff() {
    configureWebhook("flood");
    var stuck = new ArrayList<Future<Integer>>();
    for (int i = 0; i < 20; i++) {
      var body = map("flood" + i, "flood");
      stuck.add(threads.submit(() -> code(() -> asRobot(http, "POST", MAPS, body))));
    }
    othersAreAnswered();
    for (var one : stuck) {
      assertThat(CompletableFuture.supplyAsync(() -> result(one), threads))
          .succeedsWithin(Duration.ofSeconds(60))
          .isEqualTo(500);
    }
  }

  private static int result(Future<Integer> future) {
    try {
      return future.get();
    } catch (InterruptedException | ExecutionException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void othersAreAnsweredWhileAnApiServerBehindHangs() {
    StubbornApi.objects(backend).forEach(this::make);
    await()
        .atMost(Duration.ofSeconds(30))
        .until(() -> StubbornApi.isAvailable(http.get(url(StubbornApi.API_SERVICE)).body()));
    othersAreAnsweredBeside(stuck("GET", StubbornApi.THINGS, ""));
  }
}
