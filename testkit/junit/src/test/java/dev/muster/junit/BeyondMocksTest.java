package dev.muster.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.muster.embedded.MusterOptions;
import dev.muster.embedded.TestCluster;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.ListOptionsBuilder;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What users of mocks ask for and do not get. */
@Muster(options = BeyondMocksTest.Rules.class)
@SuppressWarnings("NullAway") // The extension fills in the fields.
class BeyondMocksTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /** What the annotation cannot say. */
  static final class Rules implements UnaryOperator<MusterOptions> {
    @Override
    public MusterOptions apply(MusterOptions options) {
      return options.withAdmission(
          "images.example.com",
          review -> {
            if (review.writes("Pod")
                && review.object(Pod.class).orElseThrow().getSpec().getContainers().stream()
                    .anyMatch(container -> container.getImage().endsWith(":latest"))) {
              review.deny("name a version");
            }
          });
    }
  }

  static TestCluster cluster;
  KubernetesClient client;

  @BeforeAll
  static void prepare() {
    cluster.client().configMaps().resource(map("of-all-tests", "a")).create();
  }

  private static ConfigMap map(String name, String value) {
    return new ConfigMapBuilder()
        .withNewMetadata()
        .withName(name)
        .endMetadata()
        .addToData("key", value)
        .build();
  }

  private static Pod pod(String name, String image) {
    return new PodBuilder()
        .withNewMetadata()
        .withName(name)
        .endMetadata()
        .withNewSpec()
        .addNewContainer()
        .withName("main")
        .withImage(image)
        .endContainer()
        .endSpec()
        .build();
  }

  @Test
  void serverSideApply() {
    client.resource(map("applied", "a")).fieldManager("one").serverSideApply();
    assertThatThrownBy(
            () -> client.resource(map("applied", "b")).fieldManager("two").serverSideApply())
        .isInstanceOf(KubernetesClientException.class)
        .hasMessageContaining("conflict with \"one\": .data.key");
    var forced =
        client.resource(map("applied", "b")).fieldManager("two").forceConflicts().serverSideApply();
    assertThat(forced.getData()).containsEntry("key", "b");
  }

  @Test
  void realConflicts() {
    var first = client.configMaps().resource(map("contended", "a")).create();
    client.resource(first.edit().addToData("key", "b").build()).update();
    assertThatThrownBy(
            () ->
                client
                    .resource(first.edit().addToData("key", "c").build())
                    .lockResourceVersion()
                    .update())
        .isInstanceOfSatisfying(
            KubernetesClientException.class,
            e -> assertThat(e.getCode()).isEqualTo(HttpURLConnection.HTTP_CONFLICT))
        .hasMessageContaining("the object has been modified");
  }

  @Test
  void namespaceDeletion() {
    var space = new NamespaceBuilder().withNewMetadata().withName("doomed").endMetadata().build();
    client.resource(space).create();
    client.configMaps().inNamespace("doomed").resource(map("inside", "a")).create();
    client.namespaces().withName("doomed").delete();
    await().atMost(PATIENCE).until(() -> client.namespaces().withName("doomed").get() == null);
    assertThat(client.configMaps().inNamespace("doomed").list().getItems()).isEmpty();
  }

  @Test
  void garbageCollection() {
    var owner = client.configMaps().resource(map("owner", "a")).create();
    client
        .configMaps()
        .resource(
            map("owned", "a")
                .edit()
                .editMetadata()
                .addNewOwnerReference()
                .withApiVersion("v1")
                .withKind("ConfigMap")
                .withName("owner")
                .withUid(owner.getMetadata().getUid())
                .endOwnerReference()
                .endMetadata()
                .build())
        .create();
    client.configMaps().withName("owner").delete();
    await().atMost(PATIENCE).until(() -> client.configMaps().withName("owned").get() == null);
  }

  @Test
  void fieldSelectors() {
    client.pods().resource(pod("one", "image:1")).create();
    client.pods().resource(pod("two", "image:1")).create();
    cluster.pod("two").running();
    assertThat(client.pods().withField("status.phase", "Running").list().getItems())
        .extracting(pod -> pod.getMetadata().getName())
        .containsExactly("two");
  }

  @Test
  void watchResumptionAfter410() throws InterruptedException {
    var old = client.configMaps().resource(map("first", "a")).create();
    client.configMaps().resource(map("second", "a")).create();
    try (var informer = client.configMaps().inNamespace("default").inform()) {
      cluster.advance(Duration.ofMinutes(10));
      await()
          .atMost(PATIENCE)
          .until(() -> code(old.getMetadata().getResourceVersion()) == HttpURLConnection.HTTP_GONE);
      client.configMaps().resource(map("third", "a")).create();
      await().atMost(PATIENCE).until(() -> informer.getIndexer().getByKey("default/third") != null);
    }
  }

  /** How a watch that goes on from there is answered; 0 when it goes on. */
  private int code(String revision) throws InterruptedException {
    var closed = new CountDownLatch(1);
    var reason = new AtomicReference<WatcherException>();
    var options = new ListOptionsBuilder().withResourceVersion(revision).build();
    try (var _ =
        client
            .configMaps()
            .watch(
                options,
                new Watcher<ConfigMap>() {
                  @Override
                  public void eventReceived(Action action, ConfigMap map) {}

                  @Override
                  public void onClose(WatcherException cause) {
                    reason.set(cause);
                    closed.countDown();
                  }
                })) {
      var _ = closed.await(1, TimeUnit.SECONDS);
      return reason.get() != null && reason.get().isHttpGone() ? HttpURLConnection.HTTP_GONE : 0;
    } catch (KubernetesClientException e) {
      return e.getCode();
    }
  }

  @Test
  void admission() {
    assertThatThrownBy(() -> client.pods().resource(pod("newest", "image:latest")).create())
        .hasMessageContaining("denied the request: name a version");
    client.pods().resource(pod("fixed", "image:1")).create();
  }

  @Test
  void severalInstances() {
    try (var other = dev.muster.embedded.Muster.start(MusterOptions.defaults().withControllers())) {
      other.client().configMaps().resource(map("there", "a")).create();
      assertThat(client.configMaps().withName("there").get()).isNull();
    }
  }

  @Test
  void reset() {
    cluster.client().configMaps().withName("of-all-tests").delete();
    assertOnlyThis();
  }

  @Test
  void resetForEveryTest() {
    cluster.client().configMaps().withName("of-all-tests").delete();
    assertOnlyThis();
  }

  private void assertOnlyThis() {
    assertThat(client.configMaps().list().getItems())
        .extracting(map -> map.getMetadata().getName())
        .containsExactly("kube-root-ca.crt");
  }
}
