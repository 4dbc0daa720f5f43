package dev.muster.it.clusterset;

import static dev.muster.multicluster.rules.WellKnownProperties.CLUSTER_ID;
import static dev.muster.multicluster.rules.WellKnownProperties.CLUSTER_SET;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.muster.controllers.client.ApiRequests;
import dev.muster.controllers.client.Clients;
import dev.muster.it.ServerInProcess;
import dev.muster.multicluster.identity.ClusterIdentityController;
import dev.muster.multicluster.identity.ClusterProperties;
import dev.muster.multicluster.identity.ClusterProperty;
import dev.muster.multicluster.identity.webhook.IdentityWebhookController;
import dev.muster.multicluster.rules.ClusterIdRules;
import dev.muster.multicluster.rules.PropertyRules;
import dev.muster.pki.Pem;
import dev.muster.testing.FreePorts;
import dev.muster.testing.TestTls;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingWebhook;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** The rules as an API server without them would ask for them. */
@Tag("slow")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class IdentityWebhookTest {
  private static final ClusterIdRules IDS = new ClusterIdRules(false);

  @TempDir private static Path folder;
  private ServerInProcess server;
  private KubernetesClient client;
  private AutoCloseable identity;
  private AutoCloseable webhook;
  private URI url;

  @BeforeAll
  void start() throws Exception {
    server = ServerInProcess.start(folder);
    client = Clients.of(server.kubeconfig());
    identity = new ClusterIdentityController(Optional.of("one"), IDS).start(client);
    await()
        .atMost(Duration.ofSeconds(60))
        .until(() -> new ClusterProperties(client).clusterId().isPresent());
    int port = FreePorts.find(1).getFirst();
    url = URI.create("https://127.0.0.1:" + port);
    webhook =
        new IdentityWebhookController(
                url,
                new InetSocketAddress(InetAddress.getLoopbackAddress(), port),
                new PropertyRules(IDS),
                InstantSource.system())
            .start(client);
    await().atMost(Duration.ofSeconds(60)).until(() -> !webhooks().isEmpty());
  }

  @AfterAll
  void stop() throws Exception {
    webhook.close();
    identity.close();
    client.close();
    server.close();
  }

  private List<ValidatingWebhook> webhooks() {
    var found =
        client
            .admissionRegistration()
            .v1()
            .validatingWebhookConfigurations()
            .withName("muster-cluster-identity")
            .get();
    return found == null ? List.of() : found.getWebhooks();
  }

  @Test
  void onlyWritesToTheWellKnownPropertiesWaitForIt() {
    assertThat(webhooks())
        .extracting(ValidatingWebhook::getFailurePolicy)
        .containsExactly("Fail", "Ignore");
    assertThat(webhooks().get(0).getMatchConditions().getFirst().getExpression())
        .contains(CLUSTER_ID, CLUSTER_SET);
    assertThat(webhooks().get(1).getMatchConditions().getFirst().getExpression()).startsWith("!(");
  }

  @Test
  void aRegistrationThatSomebodyChangesIsPutBack() {
    var registrations = client.admissionRegistration().v1().validatingWebhookConfigurations();
    registrations
        .withName("muster-cluster-identity")
        .edit(
            found -> {
              found.getWebhooks().getFirst().setFailurePolicy("Ignore");
              return found;
            });
    await()
        .atMost(Duration.ofSeconds(60))
        .until(() -> webhooks().getFirst().getFailurePolicy().equals("Fail"));
    registrations.withName("muster-cluster-identity").delete();
    await().atMost(Duration.ofSeconds(60)).until(() -> webhooks().size() == 2);
  }

  @Test
  void itRefusesWhatTheRulesRefuse() throws Exception {
    assertThat(review("CREATE", "x.k8s.io", "admin", "\"v\"", "null").body())
        .contains("\"allowed\":false")
        .contains("reserved for Kubernetes");
    assertThat(review("CREATE", "x.example.com", "admin", "\"v\"", "null").body())
        .contains("\"allowed\":true")
        .contains("\"uid\":\"u-1\"");
    assertThat(review("UPDATE", CLUSTER_ID, "admin", "\"Bad\"", "\"one\"").body())
        .contains("RFC 1123");
    assertThat(
            review("UPDATE", CLUSTER_ID, "admin", "\"a." + "b".repeat(62) + "\"", "\"one\"").body())
        .contains("\"allowed\":true")
        .contains("\"warnings\":[\"");
  }

  @Test
  void whoeverRbacNamesManagesMembership() throws Exception {
    assertThat(review("CREATE", CLUSTER_SET, "nobody", "\"prod\"", "null").body())
        .contains("\"allowed\":false")
        .contains("muster:clusterset-membership");
    assertThat(review("CREATE", CLUSTER_SET, "admin", "\"prod\"", "null").body())
        .contains("\"allowed\":true");
  }

  /** This server has no rules inside, so it asks for them. */
  @Test
  void anApiServerAsksItBeforeItWrites() {
    var properties = new ClusterProperties(client);
    assertThatThrownBy(() -> properties.create("x.k8s.io", "v"))
        .hasMessageContaining("reserved for Kubernetes");
    properties.create("x.example.com", "v");
    properties.create(CLUSTER_SET, "prod");
    assertThatThrownBy(() -> properties.set(CLUSTER_ID, "two"))
        .hasMessageContaining("cannot be changed while");
    assertThatThrownBy(() -> properties.delete(CLUSTER_ID))
        .hasMessageContaining("cannot be deleted while");
    properties.delete(CLUSTER_SET);
    properties.delete("x.example.com");
  }

  /** The request names no object then, neither to the match conditions nor in the review. */
  @Test
  void collectionDeletesAreHeldToTheRulesOfEachProperty() throws Exception {
    var properties = new ClusterProperties(client);
    properties.create(CLUSTER_SET, "prod");
    for (var query : List.of("", "?dryRun=All", "?fieldSelector=metadata.name%3D" + CLUSTER_ID)) {
      assertThat(deleteCollection(query))
          .as(query)
          .contains("The cluster ID cannot be deleted while");
    }
    var own = ClusterProperty.of("own.example.com", "x");
    own.getMetadata().setLabels(Map.of("chosen", "yes"));
    properties.resources().resource(own).create();
    assertThat(deleteCollection("?labelSelector=chosen%3Dyes")).contains("own.example.com");
    assertThat(properties.all()).containsOnlyKeys(CLUSTER_ID, CLUSTER_SET);
    assertThat(deleteCollection("?fieldSelector=metadata.name%3D" + CLUSTER_SET)).contains("prod");
    assertThat(properties.clusterSet()).isEmpty();
    assertThat(reviewWithoutName("nobody")).contains("\"allowed\":false");
    assertThat(reviewWithoutName("admin")).contains("\"allowed\":true");
  }

  @Test
  void ownPropertiesMayHaveGeneratedNames() {
    var properties = new ClusterProperties(client);
    var own = ClusterProperty.of("", "x");
    own.getMetadata().setName(null);
    own.getMetadata().setGenerateName("own-");
    var made = properties.resources().resource(own).create();
    assertThat(properties.delete(made.getMetadata().getName())).isTrue();
  }

  private String deleteCollection(String query) {
    var path = "/apis/about.k8s.io/v1/clusterproperties" + query;
    var answer = new ApiRequests(client).send("DELETE", path, "application/json");
    return client.getKubernetesSerialization().asJson(answer.body());
  }

  /** Of clusterset.k8s.io, as one of a collection. */
  private String reviewWithoutName(String user) throws Exception {
    return review("DELETE", "", user, "", object(CLUSTER_SET, "\"prod\"")).body();
  }

  @Test
  void badInputIsAnsweredAsSuch() throws Exception {
    assertThat(post("not json").statusCode()).isEqualTo(400);
    assertThat(post("{}").statusCode()).isEqualTo(400);
    assertThat(post("x".repeat(4 * 1024 * 1024 + 1)).statusCode()).isEqualTo(413);
  }

  private HttpResponse<String> review(
      String operation, String name, String user, String value, String old) throws Exception {
    return post(
        """
        {"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","request":{"uid":"u-1",
        "operation":"%s","name":"%s",
        "resource":{"group":"about.k8s.io","version":"v1","resource":"clusterproperties"},
        "userInfo":{"username":"%s","groups":%s},
        "object":%s,"oldObject":%s}}
        """
            .formatted(
                operation,
                name,
                user,
                user.equals("admin") ? "[\"system:masters\"]" : "[]",
                value.isEmpty() ? "null" : object(name, value),
                old.equals("null") || old.startsWith("{") ? old : object(name, old)));
  }

  private static String object(String name, String value) {
    return """
    {"apiVersion":"about.k8s.io/v1","kind":"ClusterProperty","metadata":{"name":"%s"},
    "spec":{"value":%s}}
    """
        .formatted(name, value);
  }

  private HttpResponse<String> post(String body) throws Exception {
    var bundle =
        new String(
            Base64.getDecoder().decode(webhooks().getFirst().getClientConfig().getCaBundle()),
            StandardCharsets.US_ASCII);
    var tls = TestTls.trusting(Pem.certificates(bundle));
    try (var http = HttpClient.newBuilder().sslContext(tls).build()) {
      return http.send(
          HttpRequest.newBuilder(URI.create(webhooks().getFirst().getClientConfig().getUrl()))
              .POST(HttpRequest.BodyPublishers.ofString(body))
              .build(),
          HttpResponse.BodyHandlers.ofString());
    }
  }
}
