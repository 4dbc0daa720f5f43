package dev.muster.it.races;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.it.races.RaceHttp.Answer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntFunction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Many want the same object at the same time, through two servers, and all get it. */
class ContentionTest {
  private static final String JSON = "application/json";
  private static final String MERGE = "application/merge-patch+json";
  private static final String APPLY = "application/apply-patch+yaml";
  private static final String ALL = "/api/v1/namespaces/crowd";

  @TempDir private Path folder;
  private RacingServers servers;
  private RaceHttp http;

  @BeforeEach
  void start() throws IOException {
    servers = RacingServers.start(folder, 2, 7, 1_000);
    http = new RaceHttp(RacingServers.TOKEN);
    made(http.post(servers.url(0) + "/api/v1/namespaces", "{\"metadata\":{\"name\":\"crowd\"}}"));
  }

  @AfterEach
  void stop() {
    http.close();
    servers.close();
  }

  private static Answer made(Answer answer) {
    assertThat(answer.code()).as(answer.message()).isEqualTo(201);
    return answer;
  }

  /** Any of the servers. */
  private String url(int number) {
    return servers.url(number % 2);
  }

  /** How often each code was answered when all of them ask at once, each several times. */
  private SortedMap<Integer, Integer> codes(int clients, int times, IntFunction<Answer> request)
      throws InterruptedException, ExecutionException {
    var begin = new CountDownLatch(1);
    var running = new ArrayList<Future<List<Integer>>>();
    var codes = new TreeMap<Integer, Integer>();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < clients; i++) {
        int client = i;
        running.add(
            threads.submit(
                () -> {
                  begin.await();
                  var mine = new ArrayList<Integer>();
                  for (int j = 0; j < times; j++) {
                    mine.add(request.apply(client * times + j).code());
                  }
                  return mine;
                }));
      }
      begin.countDown();
      for (var one : running) {
        one.get().forEach(code -> codes.merge(code, 1, Integer::sum));
      }
    }
    return codes;
  }

  private static String map(String metadata, String data) {
    return ("{'apiVersion':'v1','kind':'ConfigMap','metadata':{'name':'m'"
            + metadata
            + "},'data':"
            + data
            + "}")
        .replace('\'', '"');
  }

  @Test
  void updatesWithoutAVersionAllSucceed() throws Exception {
    made(http.post(url(0) + ALL + "/configmaps", map("", "{}")));
    var codes =
        codes(
            30,
            8,
            i ->
                http.send(
                    "PUT", url(i) + ALL + "/configmaps/m", JSON, map("", "{'v':'" + i + "'}")));
    assertThat(codes).containsOnlyKeys(200);
  }

  @Test
  void patchesOfDifferentKeysAllSucceedAndNoneIsLost() throws Exception {
    made(http.post(url(0) + ALL + "/configmaps", map("", "{}")));
    var codes =
        codes(
            12,
            10,
            i ->
                http.send(
                    "PATCH",
                    url(i) + ALL + "/configmaps/m",
                    MERGE,
                    "{\"data\":{\"k" + i + "\":\"v\"}}"));
    assertThat(codes).containsOnlyKeys(200);
    assertThat(http.get(url(1) + ALL + "/configmaps/m").body().object("data").size())
        .isEqualTo(120);
  }

  @Test
  void managersThatApplyOneNewObjectAllSucceed() throws Exception {
    for (int round = 0; round < 5; round++) {
      var name = "new" + round;
      var codes =
          codes(
              9,
              1,
              i ->
                  http.send(
                      "PATCH",
                      url(i) + ALL + "/configmaps/" + name + "?fieldManager=f" + i,
                      APPLY,
                      map("", "{'k" + i + "':'v'}").replace("\"m\"", "\"" + name + "\"")));
      assertThat(codes).containsOnlyKeys(200, 201).containsEntry(201, 1);
      assertThat(http.get(url(0) + ALL + "/configmaps/" + name).body().object("data").size())
          .isEqualTo(9);
    }
  }

  @Test
  void statusesAndScalesTakeAllPatches() throws Exception {
    made(
        http.post(
            url(0) + ALL + "/resourcequotas",
            "{\"metadata\":{\"name\":\"q\"},\"spec\":{\"hard\":{\"services\":\"9\"}}}"));
    var deployments = "/apis/apps/v1/namespaces/crowd/deployments";
    made(
        http.post(
            url(0) + deployments,
            """
            {"metadata":{"name":"d"},"spec":{"selector":{"matchLabels":{"a":"b"}},
             "template":{"metadata":{"labels":{"a":"b"}},
              "spec":{"containers":[{"name":"c","image":"i"}]}}}}
            """));
    var codes =
        codes(
            8,
            10,
            i ->
                http.send(
                    "PATCH",
                    url(i) + ALL + "/resourcequotas/q/status",
                    MERGE,
                    "{\"status\":{\"hard\":{\"count/r" + i + ".g\":\"1\"}}}"));
    assertThat(codes).containsOnlyKeys(200);
    codes =
        codes(
            8,
            10,
            i ->
                http.send(
                    "PATCH",
                    url(i) + deployments + "/d/scale",
                    MERGE,
                    "{\"spec\":{\"replicas\":" + i + "}}"));
    assertThat(codes).containsOnlyKeys(200);
  }

  @Test
  void createsUnderOneQuotaAreAllCounted() throws Exception {
    var quota = ALL + "/resourcequotas";
    made(
        http.post(
            url(0) + quota,
            "{\"metadata\":{\"name\":\"q\"},\"spec\":{\"hard\":{\"count/configmaps\":\"60\"}}}"));
    http.send(
        "PATCH",
        url(0) + quota + "/q/status",
        MERGE,
        "{\"status\":{\"hard\":{\"count/configmaps\":\"60\"},\"used\":{\"count/configmaps\":\"0\"}}}");
    var codes =
        codes(
            16,
            4,
            i ->
                http.post(
                    url(i) + ALL + "/configmaps", "{\"metadata\":{\"name\":\"n" + i + "\"}}"));
    assertThat(codes).containsOnlyKeys(201, 403).containsEntry(201, 60);
    assertThat(
            http.get(url(1) + quota + "/q")
                .body()
                .object("status", "used")
                .string("count/configmaps"))
        .isEqualTo("60");
  }

  @Test
  void deletesGetThroughAmongWriters() throws Exception {
    made(http.post(url(0) + ALL + "/configmaps", map("", "{}")));
    var codes =
        codes(
            12,
            12,
            i ->
                // Each client deletes once, at a time of its own.
                (i + i / 12) % 12 == 11
                    ? http.send("DELETE", url(i) + ALL + "/configmaps/m", "", "")
                    : http.send(
                        "PATCH",
                        url(i) + ALL + "/configmaps/m?fieldManager=f",
                        APPLY,
                        map("", "{'v':'" + i + "'}")));
    assertThat(codes.keySet()).isSubsetOf(200, 201, 404);
    assertThat(codes.get(201)).isPositive();
  }
}
