package dev.muster.it.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.controllers.Controller;
import dev.muster.controllers.client.Clients;
import dev.muster.controllers.storageversions.StorageVersionCollector;
import dev.muster.controllers.storageversions.StorageVersionMigrator;
import dev.muster.it.fleet.ServersInOneProcess.Running;
import dev.muster.model.json.JsonObject;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/**
 * Storage versions and migrations with three real servers on one store. The last test replaces all
 * servers, one after the other.
 */
@Tag("slow")
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class StorageMigrationTest {
  private static final Duration LOOK = Duration.ofSeconds(1);

  private static final Map<String, Boolean> GATES =
      Map.of("StorageVersionAPI", true, "StorageVersionMigrator", true);

  private static final Map<String, Boolean> OLD =
      Map.of("internal.apiserver.k8s.io/v1alpha1", true, "storagemigration.k8s.io/v1beta1", true);

  private static final Map<String, Boolean> NEW = newApis();

  @TempDir private static Path folder;
  private static ServersInOneProcess fleet;
  private static StoredVersions versions;
  private final Deque<AutoCloseable> running = new ArrayDeque<>();

  private static Map<String, Boolean> newApis() {
    var apis = new HashMap<>(OLD);
    apis.put("batch/v1/cronjobs", false);
    return apis;
  }

  @BeforeAll
  static void begin() throws IOException {
    fleet = new ServersInOneProcess(folder);
    versions = new StoredVersions(fleet);
    for (int i = 0; i < 3; i++) {
      fleet.start(OLD, GATES, Duration.ZERO);
    }
  }

  @AfterAll
  static void end() {
    fleet.close();
  }

  @AfterEach
  void stop() throws Exception {
    while (!running.isEmpty()) {
      running.pop().close();
    }
  }

  private void run(Running server, Controller controller) throws IOException {
    KubernetesClient client = Clients.of(fleet.kubeconfig(server));
    running.push(client);
    running.push(controller.start(client));
  }

  private static Controller migrator() {
    return new StorageVersionMigrator(Clock.systemUTC(), LOOK);
  }

  private static Controller collector() {
    return new StorageVersionCollector("kube-apiserver-lease", LOOK, Clock.systemUTC());
  }

  @Test
  @Order(1)
  void everyServerSaysInWhichVersionItStoresEachResource() {
    for (var name : List.of("core.pods", "apps.deployments", "core.events")) {
      StoredVersions.eventually(() -> assertThat(versions.entries(name)).hasSize(3));
    }
    assertThat(versions.common("apps.deployments")).isEqualTo("apps/v1");
    var leases =
        versions.api().leases("kube-apiserver-lease").stream()
            .map(lease -> lease.object("metadata").string("name") + "=v1")
            .toList();
    assertThat(versions.entries("core.pods")).containsExactlyInAnyOrderElementsOf(leases);
    assertThat(versions.api().get("/readyz?verbose").body())
        .contains("[+]poststarthook/built-in-resources-storage-version-updater ok");
    assertThat(versions.api().get(StoredVersions.VERSIONS + "/events.k8s.io.events").status())
        .isEqualTo(404);
  }

  @Test
  @Order(2)
  void entriesOfCustomResourcesFollowTheirDefinitions() throws IOException {
    versions.define("gauges", "Gauge");
    StoredVersions.eventually(() -> assertThat(versions.entries("example.com.gauges")).hasSize(3));
    assertThat(versions.common("example.com.gauges")).isEqualTo("example.com/v1");
    assertThat(versions.storageVersionHash("gauges")).isEqualTo("W3ez5E44sD8=");
    versions.storeInSecondVersion("gauges");
    assertThat(versions.storageVersionHash("gauges")).isEqualTo("+Ep9IdTuAyc=");
    StoredVersions.eventually(
        () -> assertThat(versions.common("example.com.gauges")).isEqualTo("example.com/v2"));
    run(fleet.all().getFirst(), collector());
    versions.send("DELETE", StoredVersions.DEFINITIONS + "/gauges.example.com", JsonObject.EMPTY);
    StoredVersions.eventually(
        () ->
            assertThat(versions.api().get(StoredVersions.VERSIONS + "/example.com.gauges").status())
                .isEqualTo(404));
  }

  @Test
  @Order(3)
  void everyStoredObjectIsMigratedOnceAndASecondMigrationWritesNothing() throws IOException {
    versions.define("widgets", "Widget");
    for (int i = 0; i < 500; i++) {
      versions.create("widgets", "Widget", "v1", "w" + i);
    }
    versions.storeInSecondVersion("widgets");
    var young = versions.create("widgets", "Widget", "v2", "young");
    assertThat(versions.storedVersions("widgets"))
        .containsEntry("example.com/v1", 500)
        .containsEntry("example.com/v2", 1);
    assertThat(versions.definedVersions("widgets")).containsExactly("v1", "v2");
    run(fleet.all().getFirst(), migrator());
    versions.migrate("widgets-to-v2", "widgets");
    versions.awaitSucceeded("widgets-to-v2");
    assertThat(versions.storedVersions("widgets"))
        .containsExactly(Map.entry("example.com/v2", 501));
    assertThat(versions.definedVersions("widgets")).containsExactly("v2");
    assertThat(versions.condition("widgets-to-v2", "Succeeded").string("message"))
        .isEqualTo("501 objects seen, 500 of them rewritten");
    var after = versions.resourceVersions("widgets");
    assertThat(after).containsEntry("young", young.object("metadata").string("resourceVersion"));
    versions.migrate("widgets-again", "widgets");
    versions.awaitSucceeded("widgets-again");
    assertThat(versions.condition("widgets-again", "Succeeded").string("message"))
        .isEqualTo("501 objects seen, 0 of them rewritten");
    assertThat(versions.resourceVersions("widgets")).isEqualTo(after);
  }

  @Test
  @Order(4)
  void aServerThatStoresAnotherVersionIsWaitedForUntilItIsGone() throws IOException {
    versions.define("dials", "Dial");
    versions.create("dials", "Dial", "v1", "d");
    versions.storeInSecondVersion("dials");
    StoredVersions.eventually(
        () -> assertThat(versions.common("example.com.dials")).isEqualTo("example.com/v2"));
    versions.addEntry("example.com.dials", "long-gone", "example.com/v1");
    run(fleet.all().getFirst(), migrator());
    versions.migrate("dials-to-v2", "dials");
    StoredVersions.eventually(
        () ->
            assertThat(versions.condition("dials-to-v2", "Running").string("message"))
                .contains("long-gone=example.com/v1"));
    assertThat(versions.condition("dials-to-v2", "Running").string("status")).isEqualTo("False");
    assertThat(versions.storedVersions("dials")).containsExactly(Map.entry("example.com/v1", 1));
    var living = new ArrayList<>(versions.entries("core.pods"));
    run(fleet.all().getFirst(), collector());
    versions.awaitSucceeded("dials-to-v2");
    assertThat(versions.storedVersions("dials")).containsExactly(Map.entry("example.com/v2", 1));
    assertThat(versions.entries("example.com.dials")).hasSize(3);
    assertThat(versions.entries("core.pods")).containsExactlyInAnyOrderElementsOf(living);
  }

  @Test
  @Order(5)
  void aMigrationDuringARollingUpgradeWaitsForTheLastServer() throws IOException {
    versions.define("meters", "Meter");
    for (int i = 0; i < 20; i++) {
      versions.create("meters", "Meter", "v1", "m" + i);
    }
    versions.storeInSecondVersion("meters");
    var old = fleet.all();
    upgrade(old.get(0));
    var upgraded = fleet.all().getLast();
    run(upgraded, migrator());
    run(upgraded, collector());
    versions.migrate("meters-to-v2", "meters");
    awaitWaiting();
    upgrade(old.get(1));
    awaitWaiting();
    upgrade(old.get(2));
    versions.awaitSucceeded("meters-to-v2");
    assertThat(versions.storedVersions("meters")).containsExactly(Map.entry("example.com/v2", 20));
    assertThat(versions.definedVersions("meters")).containsExactly("v2");
    assertThat(versions.api().consistent()).contains(true);
    StoredVersions.eventually(() -> assertThat(versions.entries("core.pods")).hasSize(3));
  }

  private static void upgrade(Running server) throws IOException {
    fleet.stop(server);
    fleet.start(NEW, GATES, Duration.ZERO);
  }

  /** Nothing is written as long as a server of the old kind is there. */
  private static void awaitWaiting() {
    StoredVersions.eventually(
        () -> {
          var waiting = versions.condition("meters-to-v2", "Running");
          assertThat(waiting.string("status")).isEqualTo("False");
          assertThat(waiting.string("message"))
              .isEqualTo("API servers do not all serve the same APIs");
        });
    assertThat(versions.storedVersions("meters")).containsExactly(Map.entry("example.com/v1", 20));
  }
}
