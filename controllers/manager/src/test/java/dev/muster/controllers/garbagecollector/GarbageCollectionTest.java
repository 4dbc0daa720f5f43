package dev.muster.controllers.garbagecollector;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.controllers.garbagecollector.ObjectClient.Propagation;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GarbageCollectionTest {
  private static final int ROUNDS = 10_000;

  private boolean calm = true;
  private Random random = new Random(0);
  private final ObjectsInMemory objects = new ObjectsInMemory(this::strike);
  private final Map<String, ObjectReference> known = new HashMap<>();
  private final Set<GraphEffect> todo = new LinkedHashSet<>();
  private Graph graph;
  private GarbageCollection collection;

  GarbageCollectionTest() {
    restart();
  }

  /** The collector's process ends here. */
  private static final class Crash extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  private void strike(String request) {
    if (calm) {
      return;
    }
    switch (random.nextInt(40)) {
      case 0 -> throw new Crash();
      case 1, 2 -> throw new IllegalStateException(request + " failed");
      default -> {}
    }
  }

  /** As after a crash: nothing is remembered, everything is listed. */
  private void restart() {
    var absent = new AbsentOwners();
    graph = new Graph(absent);
    todo.clear();
    collection = new GarbageCollection(graph, absent, objects, todo::addAll, 1);
    objects.changes().clear();
    known.clear();
    objects.all().forEach(this::see);
  }

  /** As after a lost watch of one type: what went away unseen is told as gone. */
  private void relist(String kind) {
    objects.changes().removeIf(change -> change.object().reference().kind().equals(kind));
    var lost = new HashMap<>(known);
    for (var object : objects.all()) {
      if (object.reference().kind().equals(kind)) {
        see(object);
      }
      lost.remove(object.reference().uid());
    }
    lost.values().stream().filter(object -> object.kind().equals(kind)).forEach(this::forget);
  }

  private void see(ObjectMetadata object) {
    known.put(object.reference().uid(), object.reference());
    todo.addAll(graph.observe(object));
  }

  private void forget(ObjectReference object) {
    known.remove(object.uid());
    todo.addAll(graph.forget(object));
  }

  private void deliver() {
    var change = objects.changes().peek();
    if (change != null) {
      deliver(change);
    }
  }

  /** Each type has a watch of its own, which may be further behind than that of the other. */
  private void deliver(String kind) {
    objects.changes().stream()
        .filter(change -> change.object().reference().kind().equals(kind))
        .findFirst()
        .ifPresent(this::deliver);
  }

  private void deliver(ObjectsInMemory.Change change) {
    objects.changes().removeFirstOccurrence(change);
    if (change.gone()) {
      forget(change.object().reference());
    } else {
      see(change.object());
    }
  }

  private void work() {
    if (todo.isEmpty()) {
      return;
    }
    var effect = todo.iterator().next();
    todo.remove(effect);
    boolean finished;
    try {
      finished =
          switch (effect) {
            case GraphEffect.AttemptToDelete attempt -> collection.attemptToDelete(attempt.uid());
            case GraphEffect.AttemptToOrphan attempt -> collection.attemptToOrphan(attempt.uid());
            case GraphEffect.ReportInvalidNamespace report -> true;
          };
    } catch (Crash e) {
      restart();
      return;
    } catch (IllegalStateException e) {
      finished = false;
    }
    if (!finished) {
      todo.add(effect);
    }
  }

  private void settle() {
    for (int i = 0; i < ROUNDS && !(todo.isEmpty() && objects.changes().isEmpty()); i++) {
      if (objects.changes().isEmpty()) {
        work();
      } else {
        deliver();
      }
    }
    assertThat(todo).as("what is never finished").isEmpty();
  }

  private List<String> names() {
    return objects.all().stream().map(object -> object.reference().name()).sorted().toList();
  }

  private ObjectReference create(String namespace, String name, ObjectReference... owners) {
    var references = new ArrayList<Map<String, Object>>();
    for (var owner : owners) {
      references.add(ObjectsInMemory.owner(owner, true));
    }
    return objects.create(namespace, name, references);
  }

  @Test
  void dependentsFollowTheirOwnerInTheBackground() {
    var parent = create("ns", "parent");
    var child = create("ns", "child", parent);
    create("ns", "grandchild", child);
    create("ns", "other");
    settle();
    objects.userDeletes(parent, Propagation.BACKGROUND);
    settle();
    assertThat(names()).containsExactly("other");
  }

  @Test
  void anOwnerInTheForegroundGoesLast() {
    var parent = create("ns", "parent");
    var child = create("ns", "child", parent);
    create("ns", "grandchild", child);
    settle();
    objects.userDeletes(parent, Propagation.FOREGROUND);
    var order = new ArrayList<String>();
    for (int i = 0; i < ROUNDS && !objects.all().isEmpty(); i++) {
      var change = objects.changes().peek();
      if (change != null && change.gone()) {
        order.add(change.object().reference().name());
      }
      deliver();
      work();
    }
    objects.changes().stream()
        .filter(ObjectsInMemory.Change::gone)
        .forEach(change -> order.add(change.object().reference().name()));
    assertThat(order).containsExactly("grandchild", "child", "parent");
  }

  @Test
  void aCircleInTheForegroundComesToAnEnd() {
    var a = objects.create("ns", "a", List.of());
    var b = create("ns", "b", a);
    objects.mergePatch(
        a,
        Map.of(
            "metadata",
            Map.of(
                "resourceVersion",
                objects.get(a).orElseThrow().resourceVersion(),
                "ownerReferences",
                List.of(ObjectsInMemory.owner(b, true)))));
    settle();
    assertThat(names()).containsExactly("a", "b");
    objects.userDeletes(a, Propagation.FOREGROUND);
    settle();
    assertThat(names()).isEmpty();
  }

  @Test
  void orphansLoseTheReferenceAndStay() {
    var parent = create("ns", "parent");
    create("ns", "child", parent);
    settle();
    objects.userDeletes(parent, Propagation.ORPHAN);
    settle();
    assertThat(names()).containsExactly("child");
    assertThat(objects.find("ns", "child").orElseThrow().owners()).isEmpty();
  }

  @Test
  void oneOfTwoOwnersIsEnough() {
    var first = create("ns", "first");
    var second = create("ns", "second");
    create("ns", "child", first, second);
    settle();
    objects.userDeletes(first, Propagation.FOREGROUND);
    settle();
    assertThat(names()).containsExactly("child", "second");
    assertThat(objects.find("ns", "child").orElseThrow().owners()).hasSize(1);
    objects.userDeletes(second, Propagation.BACKGROUND);
    settle();
    assertThat(names()).isEmpty();
  }

  @Test
  void anOwnerThatNeverWasMakesGarbage() {
    create("ns", "child", new ObjectReference("v1", "ConfigMap", "ns", "never", "no-such-uid"));
    settle();
    assertThat(names()).isEmpty();
  }

  @Test
  void aNewObjectUnderTheOwnersNameIsNotTheOwner() {
    var parent = create("ns", "parent");
    create("ns", "child", parent);
    objects.userDeletes(parent, Propagation.BACKGROUND);
    create("ns", "parent");
    settle();
    assertThat(names()).containsExactly("parent");
  }

  @Test
  void anOwnerInAnotherNamespaceIsAbsentAndOneOfTheClusterIsNot() {
    var elsewhere = create("one", "parent");
    create("two", "lost", elsewhere);
    var node = create("", "node");
    create("two", "held", node);
    settle();
    assertThat(names()).containsExactly("held", "node", "parent");
    objects.userDeletes(node, Propagation.BACKGROUND);
    settle();
    assertThat(names()).containsExactly("parent");
  }

  @Test
  void anObjectOfTheClusterIsNotCollectedForAnOwnerInANamespace() {
    var parent = create("ns", "parent");
    create("", "node", parent);
    settle();
    objects.userDeletes(parent, Propagation.BACKGROUND);
    settle();
    assertThat(names()).contains("node");
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20})
  void whateverFailsNothingOwnedIsCollectedAndNoGarbageIsLeft(long seed) {
    random = new Random(seed);
    calm = false;
    var created = new ArrayList<ObjectReference>();
    for (int step = 0; step < 600; step++) {
      switch (random.nextInt(12)) {
        case 0, 1 -> created.add(createRandom(created, step));
        case 2 -> deleteRandom(created);
        case 3, 4, 5, 6 -> deliver(randomKind());
        case 7, 8, 9, 10 -> work();
        default -> {
          switch (random.nextInt(10)) {
            case 0 -> restart();
            case 1, 2 -> relist(randomKind());
            default -> {}
          }
        }
      }
    }
    calm = true;
    settle();
    assertThat(objects.violations()).isEmpty();
    for (var object : objects.all()) {
      assertThat(object.owners().isEmpty() || objects.hasLivingOwner(object))
          .as("%s has no owner left", object)
          .isTrue();
      assertThat(object.deleting()).as("%s waits for nothing", object).isFalse();
    }
  }

  private String randomKind() {
    return random.nextInt(3) == 0 ? "Node" : "ConfigMap";
  }

  private ObjectReference createRandom(List<ObjectReference> created, int step) {
    var namespace = random.nextInt(5) == 0 ? "" : "ns-" + random.nextInt(2);
    var owners = new ArrayList<Map<String, Object>>();
    var uids = new LinkedHashSet<String>();
    for (int i = random.nextInt(3); i > 0 && !created.isEmpty(); i--) {
      var owner = created.get(random.nextInt(created.size()));
      boolean allowed = !namespace.isEmpty() || owner.namespace().isEmpty();
      if (allowed && uids.add(owner.uid())) {
        owners.add(ObjectsInMemory.owner(owner, random.nextBoolean()));
      }
    }
    return objects.create(namespace, "object-" + step, owners);
  }

  private void deleteRandom(List<ObjectReference> created) {
    if (!created.isEmpty()) {
      var propagations = Propagation.values();
      objects.userDeletes(
          created.get(random.nextInt(created.size())),
          propagations[random.nextInt(propagations.length)]);
    }
  }
}
