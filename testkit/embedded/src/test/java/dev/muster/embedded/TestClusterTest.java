package dev.muster.embedded;

import static dev.muster.embedded.ClientObjects.custom;
import static dev.muster.embedded.ClientObjects.finished;
import static dev.muster.embedded.ClientObjects.job;
import static dev.muster.embedded.ClientObjects.map;
import static dev.muster.embedded.ClientObjects.named;
import static dev.muster.embedded.ClientObjects.namespace;
import static dev.muster.embedded.ClientObjects.owned;
import static dev.muster.embedded.ClientObjects.pod;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.EventBuilder;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import io.fabric8.kubernetes.client.readiness.Readiness;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Version;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

/** What a cluster inside a test can do that others cannot. */
class TestClusterTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /** Has no generated definition. */
  @Group("example.com")
  @Version("v1")
  public static final class Gadget extends CustomResource<Map<String, Object>, Void>
      implements Namespaced {}

  /** Has one on the class path. */
  @Group("example.com")
  @Version("v1")
  public static final class Gauge extends CustomResource<Map<String, Object>, Void>
      implements Namespaced {}

  private static TestCluster cluster;

  @BeforeAll
  static void start() {
    cluster =
        Muster.start(
            MusterOptions.defaults()
                .withManifests("widgets.yaml")
                .withDefinitions(Gadget.class, Gauge.class)
                .withAdmission("names.example.com", TestClusterTest::admit));
  }

  private static void admit(WriteReview review) {
    if (review.writes("ConfigMap") && review.name().equals("refused")) {
      review.deny("not this one, " + review.user());
    }
    if (review.writes("ConfigMap") && review.name().equals("changed")) {
      var map = review.object(ConfigMap.class).orElseThrow();
      review.replace(map.edit().addToData("by", "rule").build());
    }
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  @BeforeEach
  void reset() {
    cluster.reset();
  }

  @Test
  void aResetUndoesWhatIsNewChangedAndDeletedAndWatchesSeeIt() {
    var client = cluster.client();
    var root = client.configMaps().withName("kube-root-ca.crt");
    var uid = root.get().getMetadata().getUid();
    client.namespaces().resource(namespace("made")).create();
    client.configMaps().inNamespace("made").resource(map("inside")).create();
    client.secrets().resource(named("made").build()).create();
    client.resource(custom("Widget", "second", Map.of("size", 1))).create();
    client.genericKubernetesResources("example.com/v1", "Widget").withName("first").delete();
    var seen = new CopyOnWriteArrayList<String>();
    try (var _ = client.configMaps().inAnyNamespace().watch(into(seen))) {
      root.delete();
      await().atMost(PATIENCE).until(() -> seen.contains("DELETED kube-root-ca.crt"));
      cluster.reset();
      await().atMost(PATIENCE).until(() -> seen.contains("DELETED inside"));
    }
    assertThat(client.namespaces().withName("made").get()).isNull();
    assertThat(client.secrets().list().getItems()).isEmpty();
    assertThat(root.get().getMetadata().getUid()).isEqualTo(uid);
    var widgets = client.genericKubernetesResources("example.com/v1", "Widget");
    assertThat(widgets.list().getItems())
        .extracting(widget -> widget.getMetadata().getName())
        .containsExactly("first");
  }

  @Test
  void anOwnerThatAResetBringsBackKeepsItsDependents() {
    var maps = cluster.client().configMaps();
    var uid = maps.withName("kube-root-ca.crt").get().getMetadata().getUid();
    maps.resource(owned("before", uid)).create();
    maps.withName("kube-root-ca.crt").delete();
    await().atMost(PATIENCE).until(() -> maps.withName("before").get() == null);
    await().atMost(PATIENCE).until(() -> maps.withName("kube-root-ca.crt").get() != null);
    cluster.reset();
    maps.resource(owned("after", uid)).create();
    maps.resource(owned("of-nobody", UUID.randomUUID().toString())).create();
    await().atMost(PATIENCE).until(() -> maps.withName("of-nobody").get() == null);
    assertThat(maps.withName("after").get()).isNotNull();
  }

  private static Watcher<ConfigMap> into(List<String> seen) {
    return new Watcher<>() {
      @Override
      public void eventReceived(Action action, ConfigMap map) {
        seen.add(action + " " + map.getMetadata().getName());
      }

      @Override
      public void onClose(WatcherException cause) {}
    };
  }

  @Test
  void informersFollowAResetWithoutStartingAnew() {
    try (var informer = cluster.client().configMaps().inNamespace("default").inform()) {
      cluster.client().configMaps().resource(map("seen")).create();
      await().atMost(PATIENCE).until(() -> informer.getIndexer().list().size() == 2);
      cluster.reset();
      await().atMost(PATIENCE).until(() -> informer.getIndexer().list().size() == 1);
      assertThat(informer.isWatching()).isTrue();
    }
  }

  /** Often, because the server may still be deleting the definition's objects. */
  @RepeatedTest(20)
  void aDefinitionThatATestMadeIsGoneAfterAReset() {
    cluster.client().resource(definition("sprockets", "Sprocket")).create();
    cluster
        .client()
        .apiextensions()
        .v1()
        .customResourceDefinitions()
        .withName("widgets.example.com")
        .delete();
    cluster.reset();
    assertThat(cluster.client().apiextensions().v1().customResourceDefinitions().list().getItems())
        .extracting(definition -> definition.getMetadata().getName())
        .containsExactlyInAnyOrder(
            "widgets.example.com", "gadgets.example.com", "gauges.example.com");
    assertThat(
            cluster
                .client()
                .genericKubernetesResources("example.com/v1", "Widget")
                .withName("first")
                .get())
        .isNotNull();
  }

  private static CustomResourceDefinition definition(String plural, String kind) {
    return cluster
        .client()
        .apiextensions()
        .v1()
        .customResourceDefinitions()
        .withName("widgets.example.com")
        .get()
        .edit()
        .withNewMetadata()
        .withName(plural + ".example.com")
        .endMetadata()
        .editSpec()
        .withNewNames()
        .withPlural(plural)
        .withSingular(kind.toLowerCase(Locale.ROOT))
        .withKind(kind)
        .endNames()
        .endSpec()
        .withStatus(null)
        .build();
  }

  @Test
  void definitionsComeFromFilesAndFromAnnotatedClasses() {
    var client = cluster.client();
    assertThatThrownBy(() -> client.resource(custom("Widget", "w", Map.of("size", 0))).create())
        .hasMessageContaining("greater than or equal to 1");
    assertThatThrownBy(() -> client.resource(custom("Gauge", "g", Map.of("level", 11))).create())
        .hasMessageContaining("less than or equal to 10");
    var gadget = new Gadget();
    gadget.getMetadata().setName("g");
    gadget.setSpec(Map.of("anything", "goes"));
    client.resource(gadget).create();
    assertThat(client.resources(Gadget.class).withName("g").get().getSpec())
        .containsEntry("anything", "goes");
  }

  @Test
  void usersMayDoWhatTheirRolesAllow() {
    var alice = cluster.as("alice");
    assertThatThrownBy(() -> alice.configMaps().list())
        .isInstanceOf(KubernetesClientException.class)
        .hasMessageContaining("User \"alice\" cannot list resource \"configmaps\"");
    cluster.user("alice").withClusterRoleIn("default", "edit").allowed("get", "", "nodes");
    alice.configMaps().resource(map("hers")).create();
    assertThatThrownBy(() -> alice.configMaps().inNamespace("kube-system").list())
        .hasMessageContaining("cannot list");
    assertThat(alice.nodes().withName("none").get()).isNull();
    cluster.user("system:serviceaccount:default:default").withClusterRole("view");
    assertThat(cluster.as("system:serviceaccount:default:default").pods().list().getItems())
        .isEmpty();
  }

  @Test
  void anAdmissionRuleRefusesAndChangesWrites() {
    var maps = cluster.client().configMaps();
    assertThatThrownBy(() -> maps.resource(map("refused")).create())
        .isInstanceOfSatisfying(
            KubernetesClientException.class, e -> assertThat(e.getCode()).isEqualTo(403))
        .hasMessageContaining(
            "admission webhook \"names.example.com\" denied the request: not this one,"
                + " kubernetes-admin");
    assertThat(maps.resource(map("changed")).create().getData()).containsEntry("by", "rule");
  }

  @Test
  void timeThatIsMovedEndsEventsAndFinishedJobs() {
    var client = cluster.client();
    var now = cluster.clock().instant();
    client
        .v1()
        .events()
        .resource(
            new EventBuilder()
                .withNewMetadata()
                .withName("e")
                .endMetadata()
                .withNewInvolvedObject()
                .withKind("Pod")
                .withNamespace("default")
                .withName("p")
                .endInvolvedObject()
                .withReason("Because")
                .build())
        .create();
    client.batch().v1().jobs().resource(job()).create();
    client.batch().v1().jobs().withName("short").editStatus(job -> finished(job, now));
    cluster.advance(Duration.ofMinutes(61));
    assertThat(client.v1().events().withName("e").get()).isNull();
    await()
        .atMost(PATIENCE)
        .until(() -> client.batch().v1().jobs().withName("short").get() == null);
    assertThat(client.configMaps().resource(map("later")).create())
        .extracting(map -> Instant.parse(map.getMetadata().getCreationTimestamp()))
        .matches(time -> time.isAfter(now.plus(Duration.ofMinutes(60))));
  }

  @Test
  void podsAreSetToAState() {
    assertThatThrownBy(() -> cluster.pod("web").running())
        .hasMessageContaining("there is no pod default/web");
    cluster.client().pods().resource(pod("web")).create();
    assertThat(cluster.pod("web").scheduled("node-1").getSpec().getNodeName()).isEqualTo("node-1");
    assertThat(Readiness.isPodReady(cluster.pod("web").running())).isTrue();
    assertThat(Readiness.isPodReady(cluster.pod("web").notReady())).isFalse();
    assertThat(cluster.pod("web").waiting("CrashLoopBackOff").getStatus().getContainerStatuses())
        .extracting(status -> status.getState().getWaiting().getReason())
        .containsExactly("CrashLoopBackOff");
    assertThat(cluster.pod("web").failed(3).getStatus().getPhase()).isEqualTo("Failed");
  }

  @Test
  void aReportShowsEventsAndObjectsAndNoSecrets() {
    var client = cluster.client();
    client.configMaps().resource(map("shown")).create();
    client.secrets().resource(named("hidden").addToStringData("key", "of-nobody").build()).create();
    assertThat(cluster.report())
        .contains("Events: none")
        .contains("name: shown")
        .contains("# Secret default/hidden")
        .doesNotContain("managedFields")
        .doesNotContain("widgets.example.com")
        .doesNotContain("b2Ytbm9ib2R5");
  }

  @Test
  void whatOptionsNameMustBeThere() {
    assertThatThrownBy(() -> MusterOptions.defaults().withServers(0))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> cluster.load("no-such-file.yaml"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("no-such-file.yaml is neither a file nor a resource on the class path");
    assertThatThrownBy(() -> cluster.advance(Duration.ofSeconds(-1)))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
