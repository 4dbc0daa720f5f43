package dev.muster.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.muster.it.JavaInformer.Change;
import dev.muster.it.JavaInformer.Kind;
import dev.muster.it.JavaInformer.Library;
import dev.muster.testing.NeedsProgram;
import dev.muster.testing.TcpProxy;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Informers of both Java clients through breaks, compared with what was written. */
@Tag("slow")
@NeedsProgram(value = "etcd", from = "3.4")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class InformersTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @TempDir private static Path folder;
  private EtcdFleet fleet;
  private HttpApi api;
  private String namespace = "";
  private List<Change> written = new ArrayList<>();

  @BeforeAll
  void start() throws IOException {
    fleet = EtcdFleet.start(folder, 1, 1);
    api = new HttpApi(fleet.url(0), fleet.authority());
  }

  @AfterAll
  void stop() {
    api.close();
    fleet.close();
  }

  @ParameterizedTest
  @EnumSource
  void nothingIsMissedOrDoubledThroughBreaks(Library library) throws Exception {
    written = new ArrayList<>();
    namespace = "informers-" + library.name().toLowerCase(Locale.ROOT);
    api.send("POST", "/api/v1/namespaces", "{\"metadata\":{\"name\":\"" + namespace + "\"}}");
    create("first");
    try (var proxy = new TcpProxy(fleet.url(0));
        var informer =
            JavaInformer.start(library, proxy.endpoint(), fleet.authority(), namespace)) {
      await().atMost(PATIENCE).until(informer::synced);
      change("a");
      expectAllOf(informer);
      for (int round = 0; round < 3; round++) {
        proxy.cut();
        change("cut-" + round);
        expectAfterABreak(library, informer);
      }
      proxy.refuse(true);
      proxy.cut();
      change("away");
      proxy.refuse(false);
      expectAfterABreak(library, informer);
      long knownRevision = written.getLast().revision();
      proxy.refuse(true);
      proxy.cut();
      change("gone");
      fleet.server(0).close();
      fleet.startServer(0);
      fleet.awaitReady(0);
      change("restarted");
      assertThat(
              new String(
                  api.get(path() + "?watch=true&resourceVersion=" + knownRevision).body(),
                  StandardCharsets.UTF_8))
          .as("the new server does not know the old history")
          .startsWith("{\"type\":\"ERROR\",\"object\":{")
          .contains("\"reason\":\"Expired\"", "\"code\":410");
      proxy.refuse(false);
      expectTheOutcome(informer);
      change("after");
      expectAllOf(informer);
    }
  }

  /** The official client lists again after each break, the other one resumes its watch. */
  private void expectAfterABreak(Library library, JavaInformer informer) {
    switch (library) {
      case FABRIC8 -> expectAllOf(informer);
      case OFFICIAL -> expectTheOutcome(informer);
    }
  }

  /** Creates, updates and deletes; one object lives on. */
  private void change(String name) throws Exception {
    create(name + "-1");
    create(name + "-2");
    update(name + "-1");
    update("first");
    update(name + "-1");
    delete(name + "-1");
    update("first");
  }

  private void create(String name) throws Exception {
    var answer = api.send("POST", path(), "{\"metadata\":{\"name\":\"" + name + "\"}}");
    assertThat(answer.code()).isEqualTo(201);
    written.add(new Change(Kind.ADDED, name, answer.revision()));
  }

  private void update(String name) throws Exception {
    var body = "{\"data\":{\"at\":\"" + written.size() + "\"}}";
    var answer = api.send("PATCH", path() + "/" + name, body);
    assertThat(answer.code()).isEqualTo(200);
    written.add(new Change(Kind.UPDATED, name, answer.revision()));
  }

  private void delete(String name) throws Exception {
    assertThat(api.send("DELETE", path() + "/" + name, "").code()).isEqualTo(200);
    written.add(new Change(Kind.DELETED, name, 0));
  }

  private String path() {
    return "/api/v1/namespaces/" + namespace + "/configmaps";
  }

  /** Each write of an object, once, in order; between objects not every client keeps it. */
  private void expectAllOf(JavaInformer informer) {
    await()
        .atMost(PATIENCE)
        .untilAsserted(() -> assertThat(byName(comparable(informer))).isEqualTo(byName(written)));
  }

  /**
   * After a new list an informer may skip what was overwritten meanwhile, but it tells of no object
   * twice, never goes back, and ends where the cluster is.
   */
  private void expectTheOutcome(JavaInformer informer) {
    await()
        .atMost(PATIENCE)
        .untilAsserted(() -> assertThat(outcome(comparable(informer))).isEqualTo(outcome(written)));
    Map<String, Long> revisions = new HashMap<>();
    var deleted = new ArrayList<String>();
    for (var change : comparable(informer)) {
      if (change.kind() == Kind.DELETED) {
        deleted.add(change.name());
      } else {
        var before = revisions.put(change.name(), change.revision());
        assertThat(written).anyMatch(write -> write.revision() == change.revision());
        assertThat(before == null || before < change.revision())
            .as("%s after revision %s", change, before)
            .isTrue();
      }
    }
    assertThat(deleted).doesNotHaveDuplicates();
    written = new ArrayList<>(comparable(informer));
  }

  /**
   * Without what the official client repeats to its handlers, unchanged, when it has listed again;
   * and without the revisions of deletes, which writers are not told.
   */
  private static List<Change> comparable(JavaInformer informer) {
    Map<String, Long> last = new HashMap<>();
    var told = new ArrayList<Change>();
    for (var change : informer.changes()) {
      if (change.kind() == Kind.DELETED) {
        told.add(new Change(Kind.DELETED, change.name(), 0));
      } else {
        var before = last.put(change.name(), change.revision());
        boolean repeated = before != null && before == change.revision();
        if (!repeated || change.kind() == Kind.ADDED) {
          told.add(change);
        }
      }
    }
    return told;
  }

  private static Map<String, List<Change>> byName(List<Change> changes) {
    return changes.stream().collect(Collectors.groupingBy(Change::name));
  }

  private static Map<String, Long> outcome(List<Change> changes) {
    Map<String, Long> objects = new HashMap<>();
    for (var change : changes) {
      if (change.kind() == Kind.DELETED) {
        objects.remove(change.name());
      } else {
        objects.put(change.name(), change.revision());
      }
    }
    return objects;
  }
}
