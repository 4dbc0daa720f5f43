package dev.muster.controllers.quota;

import static dev.muster.controllers.Yaml.object;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.controllers.ObjectKey;
import dev.muster.model.json.Json;
import dev.muster.model.json.JsonObject;
import dev.muster.model.quota.Measure;
import dev.muster.model.quota.PodMeasure;
import dev.muster.model.quota.ResourceList;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The quota controller and the quota admission on one namespace: whatever comes between any two
 * steps of a count, however late its watches are and wherever it crashes.
 */
class QuotaSimulationTest {
  private static final InstantSource CLOCK =
      InstantSource.fixed(Instant.parse("2026-01-01T00:00:00Z"));
  private static final Measure PODS = new PodMeasure(CLOCK);
  private static final int STEPS = 600;
  private static final int ROUNDS = 10_000;

  /** The controller's process ends here. */
  private static final class Crash extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  private final QuotaWorld world = new QuotaWorld(CLOCK);
  private final Set<ObjectKey> todo = new LinkedHashSet<>();
  private final Map<String, JsonObject> cache = new HashMap<>();
  private final Map<String, Replenishment.Seen> known = new HashMap<>();
  private Random random = new Random(0);
  private Replenishment.Observer observer = observer();

  /** Quotas with the limits by which they were counted while these were in force. */
  private final Set<String> confirmed = new HashSet<>();

  private boolean calm;
  private int names;

  private Replenishment.Observer observer() {
    return new Replenishment.Observer(
        false,
        namespace ->
            cache.values().stream()
                .filter(quota -> QuotaCount.isAbout(quota, PODS))
                .forEach(quota -> todo.add(ObjectKey.of(quota))));
  }

  /** As after a crash: nothing is remembered, everything is listed. */
  private void restart() {
    todo.clear();
    cache.clear();
    known.clear();
    observer = observer();
    relist();
  }

  /** As after a lost watch: what went away unseen is told as gone. */
  private void relist() {
    world.changes().clear();
    var lost = new HashMap<>(known);
    var gone = new HashMap<>(cache);
    world.quotas().forEach(this::seeQuota);
    world.quotas().forEach(quota -> gone.remove(ObjectKey.of(quota).name()));
    gone.keySet().forEach(cache::remove);
    world.pods().forEach(this::seePod);
    world.pods().forEach(pod -> lost.remove(uid(pod)));
    lost.forEach(this::losePod);
    observer.readAnew("");
  }

  private static String uid(JsonObject object) {
    return object.object("metadata").string("uid");
  }

  private void seeQuota(JsonObject quota) {
    var old = cache.put(ObjectKey.of(quota).name(), quota);
    if (QuotaCount.isDue(old, quota)) {
      todo.add(ObjectKey.of(quota));
    }
  }

  private void seePod(JsonObject pod) {
    var seen =
        new Replenishment.Seen(
            QuotaWorld.NAMESPACE, uid(pod), CountedResource.fingerprint(PODS, pod));
    known.put(uid(pod), seen);
    observer.seen(seen);
  }

  private void losePod(String uid, Replenishment.Seen seen) {
    known.remove(uid);
    observer.gone(seen);
  }

  private void deliver() {
    var change = world.changes().poll();
    if (change == null) {
      return;
    }
    if (change.isQuota()) {
      if (change.gone()) {
        cache.remove(ObjectKey.of(change.object()).name());
      } else {
        seeQuota(change.object());
      }
    } else if (!change.gone()) {
      seePod(change.object());
    } else {
      var seen = known.get(uid(change.object()));
      if (seen != null) {
        losePod(uid(change.object()), seen);
      }
    }
  }

  /** What others do between two steps of the controller. */
  private void meanwhile() {
    for (int i = calm ? 0 : random.nextInt(4); i > 0; i--) {
      switch (random.nextInt(8)) {
        case 0, 1, 2 -> create();
        case 3 -> pick().ifPresent(world::remove);
        case 4 -> pick().ifPresent(this::resize);
        case 5 ->
            pick()
                .ifPresent(
                    pod -> world.change(pod.withAt(Json.of("Succeeded"), "status", "phase")));
        case 6 -> deliver();
        default -> {
          if (random.nextInt(8) == 0) {
            limit();
          }
        }
      }
    }
  }

  private Optional<JsonObject> pick() {
    var pods = List.copyOf(world.pods());
    return pods.isEmpty() ? Optional.empty() : Optional.of(pods.get(random.nextInt(pods.size())));
  }

  private static JsonObject pod(String name, int cpu) {
    return object(
        """
        metadata: {name: %1$s, namespace: ns, uid: u-%1$s}
        spec: {containers: [{name: c, resources: {requests: {cpu: '%2$dm'}}}]}
        """
            .formatted(name, cpu));
  }

  private void create() {
    write(pod("p" + ++names, 100 * (1 + random.nextInt(5))));
  }

  private void resize(JsonObject pod) {
    var sized = pod(ObjectKey.of(pod).name(), 100 * (1 + random.nextInt(8)));
    write(pod.with("spec", sized.object("spec")));
  }

  private void write(JsonObject pod) {
    var before = new HashMap<String, ResourceList>();
    world.quotas().forEach(quota -> before.put(ObjectKey.of(quota).name(), usage(quota)));
    if (!world.write(pod, random.nextInt(world.remembered()))) {
      return;
    }
    for (var quota : world.quotas()) {
      if (!confirmed.contains(uid(quota) + quota.object("spec"))) {
        continue;
      }
      var hard = ResourceList.of(quota.object("status", "hard"));
      var now = usage(quota);
      var old = before.getOrDefault(ObjectKey.of(quota).name(), new ResourceList());
      for (var name : hard.amounts().keySet()) {
        boolean more = now.get(name).compareTo(old.get(name)) > 0;
        assertThat(more && now.get(name).compareTo(hard.get(name)) > 0)
            .as("%s of %s with %s", name, quota, now.toJson())
            .isFalse();
      }
    }
  }

  /** What the pods that are there take, counted by nobody but the test. */
  private ResourceList usage(JsonObject quota) {
    var names = PODS.matching(quota.object("spec", "hard").keys());
    var tally = new QuotaTally(quota, PODS, names);
    world.pods().forEach(tally::add);
    return tally.sum();
  }

  private void limit() {
    var name = "q" + random.nextInt(3);
    var present = world.get(new ObjectKey(QuotaWorld.NAMESPACE, name));
    if (present.isPresent() && random.nextInt(4) == 0) {
      world.remove(present.get());
      return;
    }
    var limits =
        List.of(
            "pods: '%d'".formatted(1 + random.nextInt(8)),
            "requests.cpu: '%d'".formatted(1 + random.nextInt(3)),
            "pods: '%d', count/pods: '%d'".formatted(1 + random.nextInt(6), 1 + random.nextInt(9)));
    world.limit(
        object(
            "metadata: {name: %1$s, namespace: ns, uid: u-%1$s-%2$d}\nspec: {hard: {%3$s}}"
                .formatted(name, ++names, limits.get(random.nextInt(limits.size())))));
  }

  /** The controller's requests, before and after each of which anything may happen. */
  private final class Requests implements QuotaCount.Quotas, QuotaCount.Source {
    private @Nullable JsonObject read;

    @Override
    public Optional<JsonObject> get(ObjectKey key) {
      meanwhile();
      fail();
      var found = world.get(key);
      read = found.orElse(null);
      return found;
    }

    @Override
    public JsonObject updateStatus(JsonObject quota) {
      meanwhile();
      fail();
      var written = world.updateStatus(quota);
      fail();
      return written;
    }

    @Override
    public Measure measure() {
      return PODS;
    }

    @Override
    public String plural() {
      return "pods";
    }

    @Override
    public void list(String namespace, Consumer<JsonObject> each) {
      meanwhile();
      fail();
      List.copyOf(world.pods()).forEach(each);
      meanwhile();
    }

    private void fail() {
      if (!calm && random.nextInt(10) == 0) {
        if (random.nextBoolean()) {
          throw new Crash();
        }
        throw new KubernetesClientException("no answer");
      }
    }
  }

  private void work() {
    if (todo.isEmpty()) {
      return;
    }
    var key = todo.iterator().next();
    todo.remove(key);
    var requests = new Requests();
    try {
      var outcome =
          new QuotaCount(requests)
              .count(
                  key,
                  (limited, namespace) ->
                      PODS.matching(limited).isEmpty() ? List.of() : List.of(requests),
                  written -> cache.put(key.name(), written));
      switch (outcome) {
        case PARTIAL, IN_FORCE -> todo.add(key);
        case WHOLE -> {
          if (requests.read != null) {
            confirmed.add(uid(requests.read) + requests.read.object("spec"));
          }
        }
        case GONE -> {}
      }
    } catch (Crash e) {
      restart();
    } catch (KubernetesClientException e) {
      todo.add(key);
    }
  }

  private void settle() {
    for (int i = 0; i < ROUNDS && !(todo.isEmpty() && world.changes().isEmpty()); i++) {
      if (world.changes().isEmpty()) {
        work();
      } else {
        deliver();
      }
    }
    assertThat(todo).as("what is never finished").isEmpty();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20})
  void countsAreExactInTheEndAndNothingIsAdmittedBeyondALimit(long seed) {
    random = new Random(seed);
    int admitted = 0;
    limit();
    for (int step = 0; step < STEPS; step++) {
      switch (random.nextInt(10)) {
        case 0, 1, 2 -> work();
        case 3, 4, 5 -> deliver();
        case 6, 7, 8 -> meanwhile();
        default -> {
          if (random.nextInt(10) == 0) {
            relist();
          }
        }
      }
      admitted = Math.max(admitted, world.pods().size());
    }
    calm = true;
    settle();
    var wrong = new ArrayList<String>();
    for (var quota : world.quotas()) {
      var used = ResourceList.of(quota.object("status", "used")).toJson();
      if (!used.equals(usage(quota).toJson())
          || !quota.object("status", "hard").equals(quota.object("spec", "hard"))) {
        wrong.add(quota + " in place of " + usage(quota).toJson());
      }
    }
    assertThat(wrong).isEmpty();
    assertThat(admitted).as("something happened").isPositive();
  }
}
