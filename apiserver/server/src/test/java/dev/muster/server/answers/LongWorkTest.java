package dev.muster.server.answers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.store.MemoryStore;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** What runs on an event loop or a virtual thread, and what has to wait for its user's turn. */
@Tag("slow")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class LongWorkTest {
  private static final String BEGUN = "muster_long_tasks_begun_total";
  private static final String MAPS = "/api/v1/namespaces/long/configmaps";
  private static final String TABLE = "application/json;as=Table;v=v1;g=meta.k8s.io";
  private static final String PROTOBUF = "application/vnd.kubernetes.protobuf";

  private RunningServer server;
  private Path directory;

  @BeforeAll
  void start(@TempDir Path temporary) throws Exception {
    directory = temporary;
    server = RunningServer.start(temporary, new MemoryStore(), Map.of());
    server.post("/api/v1/namespaces", "{\"metadata\":{\"name\":\"long\"}}");
    for (int i = 0; i < 1_100; i++) {
      server.post(
          MAPS, "{\"metadata\":{\"name\":\"c" + i + "\",\"labels\":{\"n\":\"" + i + "\"}}}");
    }
    server.post(MAPS, map("large", "x".repeat(100_000)));
  }

  @AfterAll
  void stop() {
    server.close();
  }

  private static String map(String name, String value) {
    return "{\"metadata\":{\"name\":\"" + name + "\"},\"data\":{\"k\":\"" + value + "\"}}";
  }

  /** How many tasks the requests have begun; asking for that is one itself. */
  private double begunBy(Runnable requests) {
    double before = server.metric(BEGUN);
    requests.run();
    return server.metric(BEGUN) - before - 1;
  }

  private void get(String path, String accept) {
    assertThat(server.send("GET", path, "", accept, new byte[0]).code()).isEqualTo(200);
  }

  @Test
  void whatIsAtHandOrShortNeedsNoPlace() {
    assertThat(
            begunBy(
                () -> {
                  get(MAPS + "/c1", RunningServer.JSON);
                  get(MAPS + "/large", RunningServer.JSON);
                  get(MAPS + "/c1", "application/yaml");
                  get(MAPS, RunningServer.JSON);
                  get(MAPS + "?limit=500", RunningServer.JSON);
                  get(MAPS + "?fieldSelector=metadata.name%3Dc7", RunningServer.JSON);
                  server.patch(MAPS + "/c1", RunningServer.MERGE, "{\"data\":{\"a\":\"b\"}}");
                  server.post(MAPS + "?dryRun=All", map("small", "x"));
                }))
        .isZero();
  }

  @Test
  void everythingElseDoes() {
    var values = IntStream.range(0, 1_000).mapToObj(i -> "v" + i).collect(Collectors.joining(","));
    var requests =
        List.<Runnable>of(
            () -> get(MAPS + "/large", "application/yaml"),
            () -> get(MAPS + "/large", TABLE),
            () -> get(MAPS + "?limit=5", TABLE),
            () -> get(MAPS + "?limit=5", "application/yaml"),
            () -> get(MAPS + "?limit=5&pretty=true", RunningServer.JSON),
            () -> get(MAPS + "?limit=5000", RunningServer.JSON),
            () -> get(MAPS + "?labelSelector=n%21%3D5", RunningServer.JSON),
            () -> get(MAPS + "?labelSelector=n+in+(" + values + ")", RunningServer.JSON),
            () -> get("/apis", "application/yaml"),
            () -> get("/openapi/v3", RunningServer.JSON),
            () -> server.patch(MAPS + "/large", RunningServer.MERGE, "{\"data\":{\"a\":\"b\"}}"),
            () -> server.post(MAPS + "?dryRun=All", map("body", "x".repeat(20_000))),
            () ->
                server.post(
                    "/apis/authorization.k8s.io/v1/selfsubjectrulesreviews",
                    "{\"spec\":{\"namespace\":\"long\"}}"));
    for (int i = 0; i < requests.size(); i++) {
      assertThat(begunBy(requests.get(i))).as("request %d", i).isPositive();
    }
  }

  @Test
  void protobufNeedsOneTheFirstTime() {
    server.post(MAPS, map("proto", "x".repeat(10_000)));
    assertThat(begunBy(() -> get(MAPS + "/proto", PROTOBUF))).isOne();
    assertThat(begunBy(() -> get(MAPS + "/proto", PROTOBUF))).isZero();
  }

  /**
   * Twenty watches of a large object that nobody reads, each of which would hold all its events.
   */
  @Test
  void watchesEncodeWhatIsRead() throws Exception {
    server.post(MAPS, map("watched", "0".repeat(100_000)));
    var tls = RunningServer.trusting(directory.resolve("pki/ca.crt"));
    var watches = new ArrayList<SlowReader>();
    var path = MAPS + "?watch=true&fieldSelector=metadata.name%3Dwatched&includeObject=Object";
    for (int i = 0; i < 20; i++) {
      var accept =
          i % 2 == 0 ? TABLE : "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io";
      watches.add(new SlowReader(tls, server.port(), path, accept, "identity"));
    }
    for (var watch : watches) {
      assertThat(watch.lines(1).getFirst()).contains("ADDED");
    }
    int changes = 120;
    for (int i = 1; i <= changes; i++) {
      server.patch(
          MAPS + "/watched",
          RunningServer.MERGE,
          "{\"metadata\":{\"annotations\":{\"a\":\""
              + "y".repeat(100_000)
              + "\",\"n\":\""
              + i
              + "\"}}}");
    }
    double limit = server.metric("muster_outgoing_bytes{which=\"limit\"}");
    assertThat(server.metric("muster_outgoing_bytes{which=\"most\"}"))
        .isLessThan(Math.min(limit, 20 * 800_000));
    for (var watch : watches) {
      try (watch) {
        var last = watch.lines(changes).getLast();
        assertThat(last).contains("\"n\":\"" + changes + "\"");
      }
    }
  }
}
