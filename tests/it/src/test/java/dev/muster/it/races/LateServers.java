package dev.muster.it.races;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.muster.it.races.RaceHttp.Answer;
import dev.muster.testing.CarelessStore.Carelessness;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.function.Supplier;

/**
 * Used by one thread. Two servers, of which the second one hears of things when the test wants it
 * to, and a user of it whose rights rest on one binding.
 */
final class LateServers implements AutoCloseable {
  static final String NAMESPACE = "/api/v1/namespaces/late";
  static final String CONFIG_MAPS = NAMESPACE + "/configmaps";
  private static final String ROLES = "/apis/rbac.authorization.k8s.io/v1/namespaces/late";

  private final RacingServers servers;
  private final RaceHttp http;

  private LateServers(RacingServers servers) {
    this.servers = servers;
    http = new RaceHttp(RacingServers.TOKEN);
  }

  /**
   * @param careless what both servers leave out
   */
  static LateServers start(Path folder, Carelessness... careless) throws IOException {
    var late =
        new LateServers(
            RacingServers.start(folder, RacingServers.inMemory(2), 1, 0, Set.of(careless)));
    late.make("/api/v1/namespaces", "{\"metadata\":{\"name\":\"late\"}}");
    late.make(
        ROLES + "/roles",
        """
        {"metadata":{"name":"r"},"rules":[{"verbs":["*"],"apiGroups":["","apps","metrics.k8s.io"],
         "resources":["configmaps","namespaces","pods","pods/log","pods/proxy","deployments",
          "deployments/scale","serviceaccounts/token"]}]}
        """);
    late.make(
        ROLES + "/rolebindings",
        """
        {"metadata":{"name":"b"},
         "roleRef":{"apiGroup":"rbac.authorization.k8s.io","kind":"Role","name":"r"},
         "subjects":[{"apiGroup":"rbac.authorization.k8s.io","kind":"User","name":"robot"}]}
        """);
    made(late.asRobot("POST", CONFIG_MAPS, "{\"metadata\":{\"name\":\"there\"}}"));
    return late;
  }

  static Answer made(Answer answer) {
    assertThat(answer.code()).as(answer.message()).isBetween(200, 201);
    return answer;
  }

  RaceHttp http() {
    return http;
  }

  String first(String path) {
    return servers.url(0) + path;
  }

  String second(String path) {
    return servers.url(1) + path;
  }

  /** Creates an object through the first server. */
  Answer make(String collection, String json) {
    return made(http.post(first(collection), json));
  }

  /** A request to the second server of somebody who may do what the role says. */
  Answer asRobot(String method, String path, String body) {
    var type = method.equals("PATCH") ? "application/merge-patch+json" : "application/json";
    return http.send(RacingServers.ROBOT, method, second(path), body.isEmpty() ? "" : type, body);
  }

  /** The second server hears of nothing until {@link #later}. */
  void hold() {
    servers.link(1).holdBack();
  }

  /**
   * The second server hears of nothing until a write of its own, decided by then, is on its way.
   */
  void holdUntilCommit() {
    var link = servers.link(1);
    link.holdBack();
    link.beforeNextCommit(link::letGo);
  }

  /** The answer of the second server, which hears of everything once it has asked the store. */
  Answer later(Supplier<Answer> request) {
    var link = servers.link(1);
    long asked = link.asked();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var answer = CompletableFuture.supplyAsync(request, threads);
      await().until(() -> answer.isDone() || link.asked() > asked);
      link.letGo();
      return answer.join();
    }
  }

  void takeRightAway() {
    made(http.send("DELETE", first(ROLES + "/rolebindings/b"), "", ""));
  }

  @Override
  public void close() {
    http.close();
    servers.close();
  }
}
