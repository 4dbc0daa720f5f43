package dev.muster.controllers.endpoints;

import static dev.muster.controllers.Yaml.object;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.model.json.Json;
import dev.muster.model.json.JsonObject;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Pods come, change and go while the controller dies after any write and looks at slices of some
 * time ago. In the end each pod is in exactly one slice.
 */
class SliceSimulationTest {
  private static final int MOST = 5;
  private static final int ROUNDS = 400;
  private static final JsonObject SERVICE =
      object(
          """
          metadata: {name: web, namespace: shop, uid: u-web}
          spec: {clusterIP: 10.0.0.1, ipFamilies: [IPv4], selector: {app: web}, ports: [{port: 80}]}
          """);
  private static final JsonObject NODE = object("metadata: {name: n}");

  private final Map<Integer, JsonObject> pods = new TreeMap<>();
  private final Map<String, JsonObject> stored = new LinkedHashMap<>();
  private List<JsonObject> stale = List.of();
  private int version;

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
  void eachPodIsInOneSliceInTheEnd(long seed) {
    var random = new Random(seed);
    for (int round = 0; round < ROUNDS; round++) {
      change(random);
      if (random.nextInt(3) == 0) {
        stale = List.copyOf(stored.values());
      }
      boolean behind = random.nextInt(4) == 0;
      sync(behind ? stale : List.copyOf(stored.values()), random.nextInt(4));
    }
    sync(List.copyOf(stored.values()), Integer.MAX_VALUE);
    check();
    assertThat(plan(List.copyOf(stored.values())).isEmpty()).isTrue();
  }

  private void change(Random random) {
    int number = random.nextInt(40);
    if (random.nextInt(3) == 0) {
      pods.remove(number);
    } else {
      pods.put(number, pod(number, random.nextBoolean()));
    }
  }

  private static JsonObject pod(int number, boolean ready) {
    return object(
        """
        metadata: {name: p%1$d, namespace: shop, uid: u%1$d, labels: {app: web}}
        spec: {nodeName: n}
        status:
          phase: Running
          podIPs: [{ip: 10.1.0.%1$d}]
          conditions: [{type: Ready, status: '%2$s'}]
        """
            .formatted(number, ready ? "True" : "False"));
  }

  private SliceChanges plan(List<JsonObject> seen) {
    return new SlicePlan(SERVICE, MOST, name -> NODE, ZoneShares.UNKNOWN)
        .changes(List.copyOf(pods.values()), seen);
  }

  /** Writes as the controller does, until it dies or the server refuses. */
  private void sync(List<JsonObject> seen, int writes) {
    int left = writes;
    var changes = plan(seen);
    for (var slice : changes.create()) {
      if (left-- <= 0) {
        return;
      }
      var name = "web-" + ++version;
      store(slice.withAt(Json.of(name), "metadata", "name"));
    }
    for (var slice : changes.update()) {
      if (left-- <= 0 || !isCurrent(slice)) {
        return;
      }
      store(slice);
    }
    for (var slice : changes.delete()) {
      if (left-- <= 0) {
        return;
      }
      if (isCurrent(slice)) {
        stored.remove(name(slice));
      } else if (stored.containsKey(name(slice))) {
        return;
      }
    }
  }

  private void store(JsonObject slice) {
    stored.put(
        name(slice),
        slice.withAt(Json.of(String.valueOf(++version)), "metadata", "resourceVersion"));
  }

  private boolean isCurrent(JsonObject slice) {
    var now = stored.get(name(slice));
    return now != null
        && now.object("metadata")
            .string("resourceVersion")
            .equals(slice.object("metadata").string("resourceVersion"));
  }

  private static String name(JsonObject slice) {
    return slice.object("metadata").string("name");
  }

  private void check() {
    var found = new ArrayList<String>();
    for (var slice : stored.values()) {
      var endpoints = slice.array("endpoints").objects();
      assertThat(endpoints.size()).isLessThanOrEqualTo(MOST);
      for (var endpoint : endpoints) {
        found.add(
            endpoint.object("targetRef").string("name")
                + endpoint.object("conditions").isTrue("ready"));
      }
    }
    var wanted = new ArrayList<String>();
    for (var pod : pods.values()) {
      wanted.add(pod.object("metadata").string("name") + PodEndpoints.isReady(pod));
    }
    assertThat(found).containsExactlyInAnyOrderElementsOf(wanted);
    assertThat(new HashSet<>(found)).hasSize(found.size());
  }
}
