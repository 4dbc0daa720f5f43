package dev.muster.server.watch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.authorization.Decision;
import dev.muster.model.json.JsonObject;
import dev.muster.model.status.ApiException;
import dev.muster.registry.builtin.BuiltInTypes;
import dev.muster.registry.custom.CustomTypes;
import dev.muster.registry.custom.WebhookConversion;
import dev.muster.registry.read.ListPage;
import dev.muster.registry.read.Selection;
import dev.muster.replica.Replica;
import dev.muster.replica.ReplicaOptions;
import dev.muster.replica.object.StoredObject;
import dev.muster.replica.snapshot.ReplicaException;
import dev.muster.replica.snapshot.WatchCursor;
import dev.muster.server.answer.ResponseEncoders;
import dev.muster.store.CommitResult;
import dev.muster.store.MemoryStore;
import dev.muster.store.Operation;
import dev.muster.store.Transaction;
import dev.muster.types.ServedType;
import dev.muster.types.Types;
import dev.muster.types.options.ListOptions;
import dev.muster.types.options.Query;
import dev.muster.wire.JsonWriter;
import dev.muster.wire.SupportedMediaTypes;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/**
 * Random histories of pods and custom resources, and of watches with random selectors that come and
 * go, read slowly, and are interrupted anywhere: every watch is sent exactly what a filter over the
 * whole history says that reads each object as a tree.
 */
class DispatchModelTest {
  private static final String DEFINITION =
      "/apiextensions.k8s.io/customresourcedefinitions/widgets.example.com";
  private static final List<String> LABELS =
      List.of("", "app=a", "app=b,tier=x", "app in (a,b)", "app!=a", "tier", "!tier", "app=none");
  private static final List<String> POD_FIELDS =
      List.of(
          "",
          "",
          "spec.nodeName=n1",
          "spec.nodeName=n2",
          "spec.nodeName=",
          "spec.nodeName!=n1",
          "status.phase=Running",
          "spec.nodeName=n1,status.phase!=Running",
          "metadata.name=o1",
          "metadata.namespace=beta",
          "metadata.name=o2,metadata.namespace=alpha");
  private static final List<String> WIDGET_FIELDS =
      List.of("", "spec.color=red", "spec.color!=red", "spec.size=2", "metadata.name=o3");

  /** One watch, and what it must be told. */
  private record Watched(
      WatchSession session,
      HeldStream stream,
      Selection selection,
      String namespace,
      long after,
      ServedType type) {}

  /** A change as the test made it. */
  private record Change(
      String storage, String key, long revision, JsonObject before, JsonObject after) {}

  @Test
  void everyWatchIsSentWhatAFilterOverTheWholeHistorySays() throws Exception {
    for (int seed = 0; seed < 120; seed++) {
      try (var history = new RandomHistory(seed)) {
        history.run();
      }
    }
  }

  /** One history. */
  private static final class RandomHistory implements AutoCloseable {
    private static final Types TYPES = Types.of(BuiltInTypes.all());

    private final int seed;
    private final Random random;
    private final MemoryStore store = new MemoryStore();
    private final Replica replica;
    private final HeldLoop held = new HeldLoop();
    private final WatchLoop loop;
    private final List<Watched> watches = new ArrayList<>();
    private final List<Change> changes = new ArrayList<>();
    private final TreeMap<String, JsonObject> objects = new TreeMap<>();
    private long nanos;
    private boolean defined;

    RandomHistory(int seed) {
      this.seed = seed;
      this.random = new Random(seed);
      var options =
          seed % 4 == 3
              ? ReplicaOptions.defaults().withEvents(Duration.ZERO, 8, 0)
              : ReplicaOptions.defaults();
      replica =
          Replica.start(store, TYPES, new CustomTypes(WebhookConversion.UNAVAILABLE), options);
      replica.fresh().orTimeout(60, TimeUnit.SECONDS).join();
      int turn = 1 + random.nextInt(40);
      loop =
          new WatchLoop(
              held,
              replica,
              attributes -> Decision.allow(""),
              () -> nanos,
              DeliveryTimes.UNRECORDED,
              new TurnBudget(turn, 1 + random.nextInt(turn)));
      replica.onPublish(loop::wake);
    }

    void run() throws Exception {
      for (int step = 0; step < 250; step++) {
        switch (random.nextInt(20)) {
          case 0, 1, 2, 3, 4, 5, 6 -> change();
          case 7, 8 -> watch();
          case 9 -> any(watch -> watch.stream().room(random.nextInt(4)));
          case 10, 11 -> any(watch -> watch.stream().becomesWritable(1 + random.nextInt(5)));
          case 12 -> any(watch -> watch.stream().vanish());
          case 13 -> any(watch -> watch.stream().makeAll());
          case 14 -> {
            nanos += Duration.ofSeconds(random.nextInt(80)).toNanos();
            loop.tick();
          }
          case 15 -> {
            if (random.nextInt(4) == 0) {
              define();
            }
          }
          default -> {
            for (int i = random.nextInt(4); i >= 0; i--) {
              held.runOne();
            }
          }
        }
      }
      finish();
      for (var watch : watches) {
        check(watch);
      }
    }

    /** Everybody reads everything. */
    private void finish() throws InterruptedException {
      var last = replica.current().revision();
      held.runUntil(() -> held.waiting() == 0);
      for (int round = 0; round < 20_000 && !isQuiet(); round++) {
        for (var watch : watches) {
          if (watch.stream().open()) {
            watch.stream().becomesWritable(1_000);
          }
          watch.stream().makeAll();
        }
        loop.wake();
        held.run();
        // Another thread may have something to read first.
        LockSupport.parkNanos(10_000);
      }
      assertThat(replica.current().revision()).isEqualTo(last);
    }

    private boolean isQuiet() {
      return held.waiting() == 0
          && watches.stream()
              .allMatch(
                  watch ->
                      !watch.stream().open()
                          || (!watch.stream().isMaking()
                              && expected(watch).size() == events(watch).size()));
    }

    private void any(Consumer<Watched> action) {
      var open = watches.stream().filter(watch -> watch.stream().open()).toList();
      if (!open.isEmpty()) {
        action.accept(open.get(random.nextInt(open.size())));
      }
    }

    private void define() {
      if (defined && random.nextInt(3) == 0) {
        commit(new Operation.Delete(DEFINITION, Operation.ANY));
        defined = false;
        return;
      }
      var field = random.nextBoolean() ? ".spec.color" : ".spec.size";
      var definition =
          """
          {"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","metadata":{
          "name":"widgets.example.com","uid":"u","creationTimestamp":"2026-01-01T00:00:00Z"},"spec":{
          "group":"example.com","scope":"Namespaced","names":{"plural":"widgets","kind":"Widget"},
          "versions":[{"name":"v1","served":true,"storage":true,"selectableFields":[{"jsonPath":"%s"}],
          "schema":{"openAPIV3Schema":{"type":"object","properties":{"spec":{"type":"object",
          "properties":{"color":{"type":"string"},"size":{"type":"integer"}}}}}}}]}}
          """
              .formatted(field);
      commit(
          new Operation.Put(
              DEFINITION, definition.getBytes(StandardCharsets.UTF_8), Operation.ANY));
      defined = true;
    }

    private void change() {
      boolean pod = !defined || random.nextInt(3) > 0;
      var storage = pod ? "/pods" : "/example.com/widgets";
      var operations = new ArrayList<Operation>();
      var made = new ArrayList<Change>();
      int count = random.nextInt(6) == 0 ? 3 : 1;
      for (int i = 0; i < count; i++) {
        var namespace = random.nextBoolean() ? "alpha" : "beta";
        var name = "o" + (i * 2 + random.nextInt(2));
        var key = storage + "/" + namespace + "/" + name;
        var before = objects.get(key);
        if (before != null && random.nextInt(4) == 0) {
          operations.add(new Operation.Delete(key, Operation.ANY));
          objects.remove(key);
          made.add(new Change(storage, key, 0, before, JsonObject.EMPTY));
        } else {
          var after = object(pod, namespace, name);
          operations.add(new Operation.Put(key, JsonWriter.bytes(after), Operation.ANY));
          objects.put(key, after);
          made.add(new Change(storage, key, 0, before == null ? JsonObject.EMPTY : before, after));
        }
      }
      long revision = commit(operations.toArray(new Operation[0]));
      for (var change : made) {
        changes.add(
            new Change(change.storage(), change.key(), revision, change.before(), change.after()));
      }
    }

    private JsonObject object(boolean pod, String namespace, String name) {
      var labels = JsonObject.builder();
      if (random.nextInt(4) > 0) {
        labels.put("app", random.nextBoolean() ? "a" : "b");
      }
      if (random.nextInt(3) == 0) {
        labels.put("tier", "x");
      }
      // Some are too large to be read on an event loop.
      var annotations =
          random.nextInt(12) == 0 ? JsonObject.of("filler", "x".repeat(20_000)) : JsonObject.EMPTY;
      var metadata =
          JsonObject.of("name", name, "namespace", namespace, "uid", "u")
              .with("labels", labels.build())
              .with("annotations", annotations);
      if (!pod) {
        var spec =
            JsonObject.of(
                "color", random.nextBoolean() ? "red" : "blue", "size", random.nextInt(3));
        return JsonObject.of("apiVersion", "example.com/v1", "kind", "Widget")
            .with("metadata", metadata)
            .with("spec", spec);
      }
      var node = List.of("n1", "n2", "n3", "").get(random.nextInt(4));
      return JsonObject.of("apiVersion", "v1", "kind", "Pod")
          .with("metadata", metadata)
          .with("spec", node.isEmpty() ? JsonObject.EMPTY : JsonObject.of("nodeName", node))
          .with("status", JsonObject.of("phase", random.nextBoolean() ? "Running" : "Pending"));
    }

    private long commit(Operation... operations) {
      var result = store.commit(Transaction.of(operations)).join();
      if (!(result instanceof CommitResult.Committed committed)) {
        throw new AssertionError(result);
      }
      replica.applied(committed.revision()).orTimeout(60, TimeUnit.SECONDS).join();
      return committed.revision();
    }

    private void watch() {
      boolean pod = !defined || random.nextInt(3) > 0;
      var type =
          pod
              ? TYPES.find("", "v1", "pods")
              : Types.in(replica).find("example.com", "v1", "widgets");
      if (type == null) {
        return;
      }
      var fields = pod ? POD_FIELDS : WIDGET_FIELDS;
      var query =
          "watch=true&allowWatchBookmarks=true&labelSelector="
              + encoded(LABELS.get(random.nextInt(LABELS.size())))
              + "&fieldSelector="
              + encoded(fields.get(random.nextInt(fields.size())));
      var namespace = random.nextInt(3) == 0 ? "alpha" : "";
      Selection selection;
      ListOptions options;
      try {
        options = ListOptions.parse(Query.parse(query), false);
        selection = Selection.of(type, namespace, "", options);
      } catch (ApiException refused) {
        return;
      }
      boolean state = random.nextInt(3) == 0;
      var snapshot = replica.current();
      var initial =
          state
              ? ListPage.of(snapshot, type, selection, options.withoutPaging()).objects()
              : List.<StoredObject>of();
      var encoding =
          new ResponseEncoders(Clock.systemUTC(), SupportedMediaTypes.STANDARD)
              .of("application/json", "", Query.parse(""), type, "", ResponseEncoders.Kind.WATCH)
              .watch();
      long after =
          state ? snapshot.revision() : Math.max(0, snapshot.revision() - random.nextInt(4));
      var request =
          new WatchRequest(
              type,
              selection,
              after,
              initial,
              random.nextInt(4) > 0,
              new Unobserved(),
              state,
              true,
              Duration.ofMinutes(30),
              encoding,
              null);
      WatchCursor cursor;
      try {
        cursor = replica.watch(type.storage(), after);
      } catch (ReplicaException.Expired tooOld) {
        return;
      }
      var stream = new HeldStream();
      var session = new WatchSession(request, cursor, stream, () -> nanos);
      loop.add(type.storage(), session);
      stream.onClose(() -> loop.remove(type.storage(), session));
      stream.onWritable(session::pump);
      if (random.nextInt(4) == 0) {
        stream.room(random.nextInt(3));
      }
      watches.add(new Watched(session, stream, selection, namespace, after, type));
      session.pump();
    }

    private static String encoded(String text) {
      return text.replace("=", "%3D").replace(",", "%2C").replace("!", "%21").replace(" ", "+");
    }

    /** Kind, name and revision of each event after the state. */
    private List<String> expected(Watched watch) {
      var expected = new ArrayList<String>();
      for (var change : changes) {
        if (!change.storage().equals(watch.type().storage())
            || change.revision() <= watch.after()) {
          continue;
        }
        boolean before = matches(watch, change.key(), change.before());
        boolean now = matches(watch, change.key(), change.after());
        if (now || before) {
          var kind = now ? (before ? "MODIFIED" : "ADDED") : "DELETED";
          expected.add(kind + " " + change.key() + " " + change.revision());
        }
      }
      return expected;
    }

    private static boolean matches(Watched watch, String key, JsonObject object) {
      var namespace = key.split("/")[key.split("/").length - 2];
      return object != JsonObject.EMPTY
          && (watch.namespace().isEmpty() || watch.namespace().equals(namespace))
          && watch.selection().matchesUnstored(object);
    }

    private static List<String> events(Watched watch) {
      var told = new ArrayList<String>();
      for (var frame : watch.stream().written()) {
        var metadata = frame.object("object").object("metadata");
        long revision = Long.parseLong("0" + metadata.string("resourceVersion"));
        if (!frame.string("type").equals("BOOKMARK")
            && !frame.string("type").equals("ERROR")
            && revision > watch.after()) {
          told.add(
              frame.string("type")
                  + " "
                  + watch.type().storage()
                  + "/"
                  + metadata.string("namespace")
                  + "/"
                  + metadata.string("name")
                  + " "
                  + revision);
        }
      }
      return told;
    }

    private void check(Watched watch) {
      var what = "history " + seed + ", watch " + watches.indexOf(watch);
      var told = events(watch);
      var expected = expected(watch);
      if (watch.stream().open()) {
        assertThat(told).as(what).isEqualTo(expected);
      } else {
        // Ended by its client, its type or because it was too slow: nothing is missing before that.
        assertThat(told)
            .as(what)
            .isEqualTo(expected.subList(0, Math.min(told.size(), expected.size())));
      }
      checkBookmarks(watch, what);
    }

    /** A bookmark is later than all that was told before, and earlier than all that follows. */
    private static void checkBookmarks(Watched watch, String what) {
      long event = 0;
      long bookmark = -1;
      for (var frame : watch.stream().written()) {
        var metadata = frame.object("object").object("metadata");
        long revision = Long.parseLong("0" + metadata.string("resourceVersion"));
        switch (frame.string("type")) {
          case "BOOKMARK" -> {
            assertThat(revision).as(what).isGreaterThanOrEqualTo(Math.max(event, bookmark));
            bookmark = revision;
          }
          case "ERROR" -> {}
          default -> {
            if (revision > watch.after()) {
              assertThat(revision).as(what).isGreaterThanOrEqualTo(event).isGreaterThan(bookmark);
              event = revision;
            }
          }
        }
      }
    }

    @Override
    public void close() {
      replica.close();
      store.close();
    }
  }

  /** Nobody follows the watch. */
  private record Unobserved() implements WatchObserver {
    @Override
    public void opened() {}

    @Override
    public void initialised() {}

    @Override
    public void sentInitial(int objects) {}

    @Override
    public void closed() {}
  }
}
